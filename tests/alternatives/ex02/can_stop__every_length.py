"""Every length is tried."""


def can_stop(finished, live, alpha, max_tokens):
    if not live:
        return True
    if not finished:
        return False
    best = max(score / length**alpha for length, score in finished)
    for length, score in live:
        for n in range(length + 1, max_tokens + 1):
            if score / n**alpha > best:
                return False
    return True
