"""Depth first; a prefix no more probable than the best sentence found is not extended."""

import math


def most_probable(lm, *, end, max_tokens):
    best, best_score = (), -math.inf

    def search(prefix, score):
        nonlocal best, best_score
        for token, chance in enumerate(lm.next_probs(prefix)):
            grown = (*prefix, token)
            new = score + math.log(chance) if chance > 0 else -math.inf
            if new < best_score or new == -math.inf:
                continue
            if token != end and len(grown) < max_tokens:
                search(grown, new)
            elif token == end and (new > best_score or grown < best):
                best, best_score = grown, new

    search((), 0.0)
    return best, best_score
