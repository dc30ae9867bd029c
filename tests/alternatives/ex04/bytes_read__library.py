"""The library's function."""

from decodelab import roofline


def bytes_read(model, tokens):
    return roofline.bytes_weights(model, "bfloat16", tokens=tokens)
