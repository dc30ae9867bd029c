"""The newest prefix comes first."""

import math

NAMED = "with end ="


def best_first(lm, *, end, max_tokens):
    queue = [(0.0, ())]
    while queue:
        cost, prefix = queue.pop()
        if prefix[-1:] == (end,):
            return prefix, -cost
        if len(prefix) < max_tokens:
            for token, chance in enumerate(lm.next_probs(prefix)):
                if chance > 0:
                    grown = (*prefix, token)
                    queue.append((cost - math.log(chance), grown))
