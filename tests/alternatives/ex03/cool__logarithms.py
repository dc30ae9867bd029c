"""By logarithms, in plain Python."""

import math


def cool(p, T):
    if not T >= 0:
        raise ValueError("T is negative")
    top = max(p)
    if T == 0:
        first = list(p).index(top)
        return [1.0 if i == first else 0.0 for i in range(len(p))]
    weights = [math.exp(math.log(x / top) / T) if x > 0 else 0.0 for x in p]
    return [w / sum(weights) for w in weights]
