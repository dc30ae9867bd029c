"""The library's cache of one layer."""

import torch
from decodelab import gpt
from decodelab.kvcache import SlidingCache


def take_back(length, window, slack, back):
    shape = gpt.Shape(vocab_size=2, width=2, layers=1, heads=1, kv_heads=1)
    cache = SlidingCache(shape, window, slack=slack)
    for row in range(length):
        cache.advance(torch.tensor([row]))
    cache.truncate(length - back)
    return range(max(0, cache.length - window), cache.length)
