"""T = 0 divides by zero (known fault B11)."""

NAMED = "T = 0 your function raises ZeroDivisionError"


def cool(p, T):
    if T < 0:
        raise ValueError(f"T must not be negative, got {T}")
    weights = (p / p.max()) ** (1 / T)
    return weights / weights.sum()
