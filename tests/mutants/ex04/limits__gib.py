"""Weights in GiB over a bandwidth in GB."""

NAMED = "you divide weights in GiB by a bandwidth in GB"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * seconds * 1e9 / 2**30, 1 / seconds, flops / bandwidth
