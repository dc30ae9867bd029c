"""No refusal: a window with a hole."""

NAMED = "where row 8 is gone, you return"


def take_back(length, window, slack, back):
    left = length - back
    if left < 0:
        raise ValueError(back)
    return list(range(max(0, left - window), left))
