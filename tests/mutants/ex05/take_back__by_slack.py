"""Refuses whenever back is above the slack."""

NAMED = "for length = 9, window = 8, slack = 3 and back = 5 your function raises ValueError"


def take_back(length, window, slack, back):
    left = length - back
    if back > slack:
        raise ValueError(back)
    return list(range(max(0, left - window), left))
