"""Sentences of max_tokens + 1 tokens compete."""

import math
from itertools import product

NAMED = "which is longer than max_tokens"


def most_probable(lm, *, end, max_tokens):
    best, best_score = None, -math.inf
    for n in range(1, max_tokens + 2):
        for words in product(range(lm.vocab_size), repeat=n - 1):
            sentence = (*words, end)
            if end in words:
                continue
            chances = [lm.next_probs(sentence[:t])[token] for t, token in enumerate(sentence)]
            score = sum(math.log(chance) if chance > 0 else -math.inf for chance in chances)
            if score > best_score:
                best, best_score = sentence, score
    return best, best_score
