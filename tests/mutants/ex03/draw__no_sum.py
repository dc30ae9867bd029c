"""Each probability is compared by itself, without the running sum."""

NAMED = "you give"


def draw(p, u):
    for token in range(len(p)):
        if u < p[token]:
            return token
    return len(p) - 1
