"""All experts."""

NAMED = "you give 9.34e+10: that reads all experts"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = model.experts
    return 2 * (shared + model.expert_parameters * read / model.experts)
