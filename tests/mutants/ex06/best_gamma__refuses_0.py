"""Free drafts are refused even if none is ever accepted."""

NAMED = "for alpha = 0 and c = 0 your function raises ValueError"


def best_gamma(alpha, c):
    if c == 0:
        raise ValueError("c = 0")
    speeds = [(1 - alpha ** (g + 1)) / (1 - alpha) / (g * c + 1) for g in range(1000)]
    return max(range(1000), key=speeds.__getitem__)
