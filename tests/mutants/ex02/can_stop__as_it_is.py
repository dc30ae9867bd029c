"""A live text is compared at its present length."""

import math

NAMED = "may end at length"


def can_stop(finished, live, alpha, max_tokens):
    best = max((score / n**alpha for n, score in finished), default=-math.inf)
    reach = [
        score / n**alpha
        for length, score in live
        for n in (length,)  # the value is monotone in n
    ]
    return best >= max(reach, default=-math.inf)
