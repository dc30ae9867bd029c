"""A generator, lists as prefixes, and math.fsum."""

import math


def log_score(lm, sentence):
    chances = (lm.next_probs(list(sentence[:t]))[token] for t, token in enumerate(sentence))
    return math.fsum(math.log(chance) if chance else -math.inf for chance in chances)
