"""No formula: the procedure, run through every outcome; a dict back."""

from decodelab import exact


def law_of_redraw(p):
    def redraw(*, rng):
        token = rng.categorical(p)
        return rng.categorical(p) if token == 0 else token

    return exact.law(redraw)
