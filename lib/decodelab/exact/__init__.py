"""Exact laws: run a procedure through every outcome of its random choices and add up the masses.

Two of the three ways of this book live here. **run**: `law(procedure)` walks every trace. **merge**:
`sentence_law(round)` enumerates one round a prefix and merges rounds that meet at the same prefix, so
that the law of whole sentences stays small; `kernel_law` does the same for a rule with a kernel, over
tables of rows. (The third, **closed form**, is a theorem, tested against these two.) `audit(rule)` asks
of anyone's code for accepting and resampling whether it keeps the distribution; the adapters `from_rows`,
`from_random`, `from_uniforms` and `from_torch` make a rule of it.
"""

from decodelab.exact.adapt import from_random, from_rows, from_torch, from_uniforms
from decodelab.exact.audit import audit
from decodelab.exact.kernel import kernel_law, table_law
from decodelab.exact.merge import SentenceLaw, sentence_law
from decodelab.exact.reach import reachable_rows
from decodelab.exact.report import Audit
from decodelab.exact.run import MAX_TRACES, as_row, average_law, law, law_tv

__all__ = [
    "MAX_TRACES",
    "Audit",
    "SentenceLaw",
    "as_row",
    "audit",
    "average_law",
    "from_random",
    "from_rows",
    "from_torch",
    "from_uniforms",
    "kernel_law",
    "law",
    "law_tv",
    "reachable_rows",
    "sentence_law",
    "table_law",
]
