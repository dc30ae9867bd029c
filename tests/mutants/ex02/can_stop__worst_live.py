"""All live texts but the best are beaten."""

import math

NAMED = "you stop, but"


def can_stop(finished, live, alpha, max_tokens):
    best = max((score / n**alpha for n, score in finished), default=-math.inf)
    reach = [
        score / n**alpha
        for length, score in live
        for n in (length + 1, max_tokens)  # the value is monotone in n
    ]
    return best >= min(reach, default=-math.inf)
