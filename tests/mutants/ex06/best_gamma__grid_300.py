"""A grid that is too short for a good, cheap draft."""

NAMED = "for alpha = .995 and c = .0005 you give 299, 221 too little"


def best_gamma(alpha, c):
    if c == 0 and alpha > 0:
        raise ValueError("c = 0")
    speeds = [(1 - alpha ** (g + 1)) / (1 - alpha) / (g * c + 1) for g in range(300)]
    return max(range(300), key=speeds.__getitem__)
