"""Lists of tokens and rows."""

import numpy as np


def one_round(length, drafts, rejected):
    text = ["token"] * length
    cache = text[:-1]
    fed = text[-1:] + ["draft"] * drafts
    cache = cache + fed
    text = text + ["draft"] * (drafts if rejected is None else rejected - 1) + ["own"]
    return np.array([len(fed), len(cache[: len(text) - 1]), len(text)])
