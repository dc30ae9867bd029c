"""Looks at every prefix."""

import math

NAMED = "you ask what follows"


def best_first(lm, *, end, max_tokens):
    import heapq

    queue, found = [(0.0, ())], []
    while queue:
        cost, prefix = heapq.heappop(queue)
        if prefix[-1:] == (end,):
            found.append((cost, prefix))
        elif len(prefix) < max_tokens:
            for token, chance in enumerate(lm.next_probs(prefix)):
                if chance > 0:
                    grown = (*prefix, token)
                    heapq.heappush(queue, (cost - math.log(chance), grown))
    cost, prefix = min(found)
    return prefix, -cost
