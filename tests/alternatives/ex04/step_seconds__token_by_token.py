"""Experts and attention counted token after token, on numpy."""

import numpy as np


def step_seconds(device, model, batch, context, new):
    read = 0.0
    for _ in range(batch * new):
        read += model.chosen * (1 - read / model.experts)
    weights = model.parameters - model.expert_parameters * (1 - read / model.experts)
    caches = batch * context * 2 * model.layers * model.kv_heads * model.head_dim
    looked_at = np.sum(context + np.arange(new) + 0.5)  # a token sees half of itself
    attention = 4 * model.layers * model.heads * model.head_dim * batch * looked_at
    work = 2 * model.active * batch * new + attention
    seconds = [2 * (weights + caches) / device.bytes_per_second, work / device.flops_per_second["bfloat16"]]
    return np.max(seconds)
