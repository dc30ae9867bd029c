"""Parameters for bytes."""

NAMED = "you leave out the bytes of a parameter"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * parameters / bandwidth, 1 / seconds, flops / bandwidth
