"""The library's round, with a rule for trees."""

from decodelab import drafters, rules, speculative


class Model:
    def __init__(self, lm):
        self.vocab_size, self.next_probs = 3, lm.next_probs


def chain_round(target, draft, prefix, gamma, *, rng):
    drafter = drafters.chain(Model(draft), gamma, start=0)
    return speculative.speculate(Model(target), drafter, rules.rejection, end=9)(prefix, rng=rng).tokens
