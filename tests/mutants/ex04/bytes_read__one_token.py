"""The experts of one token."""

NAMED = "that reads the experts of one token"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = model.chosen
    return 2 * (shared + model.expert_parameters * read / model.experts)
