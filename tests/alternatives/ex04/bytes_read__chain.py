"""The law of the number of experts read, with the draws without replacement."""

from math import comb


def bytes_read(model, tokens):
    experts, chosen = model.experts, model.chosen
    law = {0: 1.0}
    for _ in range(tokens):
        grown = {}
        for read, mass in law.items():
            for new in range(min(chosen, experts - read) + 1):
                ways = comb(experts - read, new) * comb(read, chosen - new) / comb(experts, chosen)
                grown[read + new] = grown.get(read + new, 0.0) + mass * ways
        law = grown
    read = sum(n * mass for n, mass in law.items())
    return 2 * (model.parameters - model.expert_parameters * (1 - read / experts))
