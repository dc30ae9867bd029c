"""Bisection on the intensity."""


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    def intensity(batch):
        return 2 * parameters * batch / (parameters * weight_bytes + batch * cache_bytes)

    low, high = 0.0, 1e12
    if intensity(high) < ridge:
        return float("inf")
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if intensity(middle) > ridge else (middle, high)
    return [high]
