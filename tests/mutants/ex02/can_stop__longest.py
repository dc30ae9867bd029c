"""Only the longest ending is tried: wrong for a negative alpha."""

import math

NAMED = "you stop, but"


def can_stop(finished, live, alpha, max_tokens):
    best = max((score / n**alpha for n, score in finished), default=-math.inf)
    reach = [
        score / n**alpha
        for length, score in live
        for n in (max_tokens,)  # the value is monotone in n
    ]
    return best >= max(reach, default=-math.inf)
