"""The first difference, by numpy."""

import numpy as np


def to_feed(held, wanted):
    n = min(len(held), len(wanted) - 1)
    different = np.array(held[:n]) != np.array(wanted[:n])
    kept = np.append(different, True).argmax()
    return kept, np.array(wanted)[kept:]
