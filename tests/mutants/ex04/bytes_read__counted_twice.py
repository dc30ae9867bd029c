"""Every choice is a read."""

NAMED = "an expert that two tokens choose is read once"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = model.chosen * tokens
    return 2 * (shared + model.expert_parameters * read / model.experts)
