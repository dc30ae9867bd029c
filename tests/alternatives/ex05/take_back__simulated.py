"""Rows read, forgotten and taken back one by one."""

import numpy as np


def take_back(length, window, slack, back):
    if back > length:
        raise ValueError(f"back = {back} of {length} rows")
    held = []
    for row in range(length):
        held = [*held, row][-(window + slack) :]
    left = length - back
    wanted = np.arange(left)[-window:]
    if not set(wanted.tolist()) <= set(held):
        raise ValueError(f"back = {back}")
    return wanted
