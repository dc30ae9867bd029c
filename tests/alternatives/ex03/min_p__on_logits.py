"""The bound moved to the logits, where it is a difference."""

import math


def min_p(logits, ratio):
    bound = max(logits) + (math.log(ratio) if ratio > 0 else -math.inf)
    weights = [math.exp(z - max(logits)) if z >= bound else 0.0 for z in logits]
    return {token: w / sum(weights) for token, w in enumerate(weights)}
