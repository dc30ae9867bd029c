"""The active parameters."""

NAMED = "that is what a token multiplies with"


def bytes_read(model, tokens):
    return 2 * model.active
