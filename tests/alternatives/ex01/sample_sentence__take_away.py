"""The uniform is made smaller by each numpy float it exceeds."""


def sample_sentence(lm, *, end, max_tokens, rng):
    def draw(p):
        u = rng.uniform()
        for i, x in enumerate(p):
            if x > u:
                return i
            u -= x
        return len(p) - 1

    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (draw(lm.next_probs(sentence)),)
    return sentence
