"""Verification rules: which drafted tokens to keep, and which token to emit after them.

A rule is a function `rule(p, draft, *, rng) -> (path, token)`. `p` (n + 1, V) holds the target's row after
each node, `draft` the tree and the rows its tokens were drawn from. `path` lists the kept nodes from the
root down, and one more token is always emitted after them. Rules do not know the end token. A rule with a
parameter gets it bound: `functools.partial(rules.top_k, k=3)`.

A *kernel* is what a rule does to the law of a chain, at one prefix and one place in the round: the mass of
each token that stays in the round, and of each that ends it. `exact.kernel_law` turns it into sentences.
A kernel takes `p` and `q` (..., V) and the running ratio `a` (..., 1) and returns (stay, end, next a).

`lossless` holds the rules that keep the target's law, `lossy` those that do not, and `coupling` the pair
of draws that share their noise.
"""

from decodelab.rules.coupling import gumbel_agreement, gumbel_kernel, gumbel_step
from decodelab.rules.lossless import (
    block_kernel,
    greedy,
    match,
    match_kernel,
    rejection,
    rejection_kernel,
    traversal,
)
from decodelab.rules.lossy import (
    lenient,
    lenient_kernel,
    top_k,
    top_k_kernel,
    typical_acceptance,
    typical_kernel,
)

__all__ = [
    "block_kernel",
    "greedy",
    "gumbel_agreement",
    "gumbel_kernel",
    "gumbel_step",
    "lenient",
    "lenient_kernel",
    "match",
    "match_kernel",
    "rejection",
    "rejection_kernel",
    "top_k",
    "top_k_kernel",
    "traversal",
    "typical_acceptance",
    "typical_kernel",
]
