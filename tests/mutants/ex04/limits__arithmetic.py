"""The time of the arithmetic."""

NAMED = "that is the time of the arithmetic"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 2e3 * parameters / flops, 1 / seconds, flops / bandwidth
