"""More than were read."""

NAMED = "where only 5 rows were ever held, you return"


def take_back(length, window, slack, back):
    left = length - back
    if max(0, left - window) < max(0, length - window - slack):
        raise ValueError(back)
    return list(range(max(0, left - window), left))
