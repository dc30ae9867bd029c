"""The raw scores are compared."""

import math

NAMED = "may end at length"


def can_stop(finished, live, alpha, max_tokens):
    best = max((score / 1 for n, score in finished), default=-math.inf)
    reach = [
        score
        for length, score in live
        for n in (length + 1, max_tokens)  # the value is monotone in n
    ]
    return best >= max(reach, default=-math.inf)
