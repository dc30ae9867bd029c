"""The experts left out."""

NAMED = "*not* read"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = model.experts * (1 - model.chosen / model.experts) ** tokens
    return 2 * (shared + model.expert_parameters * read / model.experts)
