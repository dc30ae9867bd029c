"""Best first: the first complete sentence from the queue is the best."""

import heapq
import math


def most_probable(lm, *, end, max_tokens):
    queue = [(0.0, ())]
    while queue:
        cost, prefix = heapq.heappop(queue)
        if prefix[-1:] == (end,):
            return list(prefix), -cost
        if len(prefix) < max_tokens:
            for token, chance in enumerate(lm.next_probs(prefix)):
                if chance > 0:
                    heapq.heappush(queue, (cost - math.log(chance), (*prefix, token)))
