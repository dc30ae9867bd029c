"""The ridge is missing."""

NAMED = "return (milliseconds, tokens_per_second, ridge)"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * seconds, 1 / seconds
