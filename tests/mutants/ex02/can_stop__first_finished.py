"""Compares with the first finished text, not the best."""

import math

NAMED = "you go on, but"


def can_stop(finished, live, alpha, max_tokens):
    best = next((score / n**alpha for n, score in finished), -math.inf)
    reach = [
        score / n**alpha
        for length, score in live
        for n in (length + 1, max_tokens)  # the value is monotone in n
    ]
    return best >= max(reach, default=-math.inf)
