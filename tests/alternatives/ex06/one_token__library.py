"""The library's rule on a tree of one node."""

import numpy as np
from decodelab import rules
from decodelab.tree import Draft, Tree


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    draft = Draft(Tree.chain(0, [x]), np.stack([q, q]))
    path, token = rules.rejection(np.stack([p, p]), draft, rng=rng)
    return (x, True) if path else (token, False)
