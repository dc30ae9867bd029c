"""The running sum is one token late."""

NAMED = "you give"


def draw(p, u):
    possible = [token for token, mass in enumerate(p) if mass > 0]
    below = 0.0
    for token in possible[:-1]:
        if token and u < below:
            return token
        below += p[token]
    return possible[-1]  # no comparison, so no rounding at the top
