"""A draw that is never accepted."""

NAMED = "does not stop"


def sample_sentence(lm, *, end, max_tokens, rng):
    while rng.bernoulli(0.5) or True:
        continue
