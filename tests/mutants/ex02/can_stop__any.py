"""Stops at the first finished text."""

NAMED = "you stop, but"


def can_stop(finished, live, alpha, max_tokens):
    return bool(finished) or not live
