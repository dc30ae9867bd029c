"""Choices with replacement."""

NAMED = "are different from each other"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = model.experts * (1 - (1 - 1 / model.experts) ** (model.chosen * tokens))
    return 2 * (shared + model.expert_parameters * read / model.experts)
