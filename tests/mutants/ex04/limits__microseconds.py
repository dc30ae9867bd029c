"""A factor of 1000 (known fault B113)."""

NAMED = "that is in microseconds"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e6 * seconds, 1 / seconds, flops / bandwidth
