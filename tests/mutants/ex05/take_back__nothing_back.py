"""Nothing is taken back."""

NAMED = "before the rows are taken back"


def take_back(length, window, slack, back):
    left = length - back
    if left < 0 or max(0, left - window) < max(0, length - window - slack):
        raise ValueError(back)
    return list(range(max(0, length - window), length))
