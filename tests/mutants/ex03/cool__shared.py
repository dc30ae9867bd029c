"""At T = 0 the likeliest tokens share."""

NAMED = "of equal tokens the lowest id gets all"


def cool(p, T):
    if T < 0:
        raise ValueError(f"T must not be negative, got {T}")
    if T == 0:
        return (p == p.max()) / (p == p.max()).sum()
    weights = (p / p.max()) ** (1 / T)
    return weights / weights.sum()
