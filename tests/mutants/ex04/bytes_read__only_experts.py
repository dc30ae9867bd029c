"""The shared weights forgotten."""

NAMED = "those are the experts"


def bytes_read(model, tokens):
    share = 1 - (1 - model.chosen / model.experts) ** tokens
    return 2 * model.expert_parameters * share
