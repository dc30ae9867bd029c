"""Seconds instead of milliseconds."""

NAMED = "that is in seconds"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return seconds, 1 / seconds, flops / bandwidth
