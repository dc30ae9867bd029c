"""The ridge upside down."""

NAMED = "ridge: you give .006535: that is bytes an operation"


def limits(parameters, weight_bytes, bandwidth, flops):
    seconds = parameters * weight_bytes / bandwidth
    return 1e3 * seconds, 1 / seconds, bandwidth / flops
