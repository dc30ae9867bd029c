"""Tokens a millisecond."""

NAMED = "that is tokens a millisecond"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * seconds, 1 / (1e3 * seconds), flops / bandwidth
