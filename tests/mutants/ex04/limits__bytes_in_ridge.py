"""The balance batch in place of the ridge."""

NAMED = "the ridge belongs to the device"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * seconds, 1 / seconds, flops / bandwidth * weight_bytes / 2
