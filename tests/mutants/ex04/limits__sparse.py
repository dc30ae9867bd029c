"""The sparse peak, twice the dense one (known fault B114)."""

NAMED = "ridge: you give 306, 153 too much"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * seconds, 1 / seconds, 2 * flops / bandwidth
