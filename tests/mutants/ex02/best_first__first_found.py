"""Returns a text as soon as it is made, not when it is the most probable."""

import math

NAMED = "has ."


def best_first(lm, *, end, max_tokens):
    import heapq

    queue = [(0.0, ())]
    while queue:
        cost, prefix = heapq.heappop(queue)
        if prefix[-1:] == (end,):
            return prefix, -cost
        if len(prefix) < max_tokens:
            for token, chance in enumerate(lm.next_probs(prefix)):
                if chance > 0:
                    grown = (*prefix, token)
                    if token == end:
                        return grown, math.log(chance) - cost
                    heapq.heappush(queue, (cost - math.log(chance), grown))
