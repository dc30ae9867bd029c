"""The parent alone."""

NAMED = "but not the ancestors above it"


def tree_mask(parents):
    n = len(parents)
    return [[j in (i, parents[i]) for j in range(n)] for i in range(n)]
