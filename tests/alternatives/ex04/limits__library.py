"""The library's functions."""

from decodelab import roofline


def limits(parameters, weight_bytes, bandwidth, flops):
    dtype = next(name for name, size in roofline.BYTES.items() if size == weight_bytes)
    model = roofline.ModelShape("m", 1, 1, 1, 1, 1, parameters, parameters, "here")
    device = roofline.Device("d", bandwidth, {"bfloat16": flops}, 1e12, "here")
    seconds = roofline.seconds_step(device, model, dtype)
    return [1e3 * seconds, 1 / seconds, roofline.balance(device, "bfloat16")]
