"""Token after token: each finds some of the experts read already."""


def bytes_read(model, tokens):
    read = 0.0
    for _ in range(tokens):
        read += model.chosen * (1 - read / model.experts)
    shared = model.parameters - model.expert_parameters
    return 2 * (shared + model.expert_parameters * read / model.experts)
