"""The best real length, rounded."""

from scipy.optimize import minimize_scalar

NAMED = "for alpha = .32 and c = .3 you give 0, 1 too little"


def best_gamma(alpha, c):
    if alpha == 0:
        return 0
    if c == 0:
        raise ValueError("c = 0")
    slow = lambda g: -(1 - alpha ** (g + 1)) / (1 - alpha) / (g * c + 1)  # noqa: E731
    return round(minimize_scalar(slow, bounds=(0, 2000), method="bounded", options={"xatol": 1e-9}).x)
