"""None for a refusal."""

NAMED = "it must be refused with a ValueError"


def take_back(length, window, slack, back):
    left = length - back
    if left < 0 or max(0, left - window) < max(0, length - window - slack):
        return None
    return list(range(max(0, left - window), left))
