"""numpy, in giga units."""

import numpy as np


def limits(parameters, weight_bytes, bandwidth, flops):
    gigabytes, speed = parameters * weight_bytes / 1e9, bandwidth / 1e9
    return np.array([1e3 * gigabytes / speed, speed / gigabytes, flops / 1e9 / speed])
