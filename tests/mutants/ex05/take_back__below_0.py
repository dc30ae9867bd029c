"""Rows below 0."""

NAMED = "no row is below 0"


def take_back(length, window, slack, back):
    left = length - back
    if left < 0 or max(0, left - window) < max(0, length - window - slack):
        raise ValueError(back)
    return list(range(left - window, left))
