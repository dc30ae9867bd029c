"""All pairs of draws."""


def expected_score(p, q):
    return sum(a * b for i, a in enumerate(p) for j, b in enumerate(q) if i == j)
