"""One block, then the rest; numpy values."""

import numpy as np


def write(round, prefix, *, end, max_tokens, rng):
    if max_tokens == 0:
        return np.array([], dtype=int), np.int64(0)
    block = round(prefix, rng=rng)
    stop = min([max_tokens, len(block), *(i + 1 for i, t in enumerate(block) if t == end)])
    kept, drafts = block[:stop], min(stop, len(block) - 1)
    if kept[-1] == end:
        return np.array(kept), np.int64(drafts)
    rest, more = write(round, prefix + kept, end=end, max_tokens=max_tokens - stop, rng=rng)
    return np.array([*kept, *rest], dtype=int), drafts + more
