"""What was chosen is kept."""

NAMED = "for p = (.3, .5, .2), x = 0, you keep every draft: token 0 gets .7 too much"


def chosen_token(p, x, *, rng):
    return x, True
