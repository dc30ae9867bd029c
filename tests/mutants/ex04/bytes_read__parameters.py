"""Parameters, not bytes."""

NAMED = "those are parameters, of 2 bytes each"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = model.experts * (1 - (1 - model.chosen / model.experts) ** tokens)
    return shared + model.expert_parameters * read / model.experts
