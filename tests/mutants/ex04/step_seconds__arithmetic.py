"""The arithmetic alone."""

NAMED = "reading may take longer than the arithmetic"


def step_seconds(device, model, batch, context, new):
    attention = 4 * model.layers * model.heads * model.head_dim * batch * new * (context + new / 2)
    return (2 * model.active * batch * new + attention) / device.flops_per_second["bfloat16"]
