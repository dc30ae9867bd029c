"""The rule is taken to be exact."""

NAMED = "that is p, but the rule is not exact"


def top_k_law(p, q, k):
    return p.copy()
