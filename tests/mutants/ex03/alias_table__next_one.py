"""The alias is always the next token."""

import numpy as np

NAMED = "your table gives token"


def alias_table(p):
    return np.minimum(p * len(p), 1), [(i + 1) % len(p) for i in range(len(p))]
