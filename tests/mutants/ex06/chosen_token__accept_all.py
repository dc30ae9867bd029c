"""What was chosen is kept."""

NAMED = "every run gives (0, True): your function draws nothing from rng"


def chosen_token(p, x, *, rng):
    return x, True
