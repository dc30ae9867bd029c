"""The text alone."""

import math

NAMED = "it must be (tokens, log_prob)"


def best_first(lm, *, end, max_tokens):
    import heapq

    queue = [(0.0, ())]
    while queue:
        cost, prefix = heapq.heappop(queue)
        if prefix[-1:] == (end,):
            return prefix
        if len(prefix) < max_tokens:
            for token, chance in enumerate(lm.next_probs(prefix)):
                if chance > 0:
                    grown = (*prefix, token)
                    heapq.heappush(queue, (cost - math.log(chance), grown))
