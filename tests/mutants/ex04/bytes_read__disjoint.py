"""No overlap."""

NAMED = "two tokens may choose the same expert"


def bytes_read(model, tokens):
    shared = model.parameters - model.expert_parameters
    read = min(model.experts, model.chosen * tokens)
    return 2 * (shared + model.expert_parameters * read / model.experts)
