"""The sentence alone."""

import math

NAMED = "return (sentence, log_prob), a tuple and a number"


def most_probable(lm, *, end, max_tokens):
    def candidates(prefix, score):
        for token, chance in enumerate(lm.next_probs(prefix)):
            grown = (*prefix, token)
            if chance > 0 and (chance > 0 and token == end):
                yield grown, score + math.log(chance)
            if chance > 0 and token != end and len(grown) < max_tokens:
                yield from candidates(grown, score + math.log(chance))

    best = min(candidates((), 0.0), key=lambda found: (-found[1], found[0]))
    return best[0] if len(best[0]) != 2 else (*best[0], 0)
