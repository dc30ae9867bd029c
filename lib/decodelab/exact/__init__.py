"""Exact laws: run a procedure through every outcome of its random choices and add up the masses.

Two of the three ways of this book live here. **run**: `law(procedure)` walks every trace. **merge**:
`sentence_law(round)` enumerates one round a prefix and merges rounds that meet at the same prefix, so
that the law of whole sentences stays small; `kernel_law` does the same for a rule with a kernel, over
tables of rows. (The third, **closed form**, is a theorem, tested against these two.)
"""

from decodelab.exact.kernel import kernel_law, table_law
from decodelab.exact.merge import SentenceLaw, sentence_law
from decodelab.exact.run import MAX_TRACES, as_row, average_law, law, law_tv

__all__ = [
    "MAX_TRACES",
    "SentenceLaw",
    "as_row",
    "average_law",
    "kernel_law",
    "law",
    "law_tv",
    "sentence_law",
    "table_law",
]
