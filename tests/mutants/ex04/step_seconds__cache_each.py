"""The cache read for every new token."""

NAMED = "read once for all its new tokens"


def step_seconds(device, model, batch, context, new):
    share = 1 - (1 - model.chosen / model.experts) ** (batch * new)
    weights = 2 * (model.parameters - model.expert_parameters * (1 - share))
    kv = 4 * model.layers * model.kv_heads * model.head_dim
    reading = weights + batch * new * context * kv
    attention = 4 * model.layers * model.heads * model.head_dim * batch * new * (context + new / 2)
    work = 2 * model.active * batch * new + attention
    return max(reading / device.bytes_per_second, work / device.flops_per_second["bfloat16"])
