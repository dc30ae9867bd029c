"""The library's traversal of a chain."""

import numpy as np
from decodelab import rules
from decodelab.tree import Draft, Tree


def block_verify(p, q, tokens, *, rng):
    draft = Draft(Tree.chain(0, tokens), np.concatenate([q[:1], q]))
    path, token = rules.traversal(p, draft, rng=rng)
    return len(path), token
