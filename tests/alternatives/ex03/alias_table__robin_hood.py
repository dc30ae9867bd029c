"""The richest always gives to the poorest."""

import numpy as np


def alias_table(p):
    mass = np.array(p) * len(p)
    keep, alias, done = np.ones(len(p)), np.arange(len(p)), np.zeros(len(p), dtype=bool)
    for _ in range(len(p) - 1):
        poor = np.where(done, np.inf, mass).argmin()
        rich = np.where(done, -np.inf, mass).argmax()
        if mass[poor] < 1:
            keep[poor], alias[poor] = mass[poor], rich
            mass[rich] -= 1 - mass[poor]
        done[poor] = True
    return keep, alias
