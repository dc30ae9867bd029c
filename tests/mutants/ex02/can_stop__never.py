"""Stops when nothing is live."""

NAMED = "you go on, but"


def can_stop(finished, live, alpha, max_tokens):
    return not live
