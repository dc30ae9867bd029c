"""Running sums of numpy floats, compared with one uniform."""


def sample_sentence(lm, *, end, max_tokens, rng):
    def draw(p):
        u, acc = rng.uniform(), 0.0
        for i, x in enumerate(p):
            acc += x
            if acc > u:
                return i
        return len(p) - 1

    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (draw(lm.next_probs(sentence)),)
    return sentence
