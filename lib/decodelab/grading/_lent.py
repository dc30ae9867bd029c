"""A reference model, lent to an answer: it can be read and asked, not spoiled."""

from __future__ import annotations

import numpy as np

from decodelab.grading._checks import fail
from decodelab.tree import Prefix

__all__ = ["Lent"]


class Lent:
    """A model (the `LM` interface) whose every row is a fresh copy; a copy written into is reported.

    A check computes its reference from its own model and lends this one, so nothing an answer does
    with its argument can reach the reference.
    """

    def __init__(self, rows: dict[Prefix, np.ndarray]):
        self._rows = {prefix: np.array(row, dtype=np.float64) for prefix, row in rows.items()}
        self._given: list[tuple[Prefix, np.ndarray]] = []
        self.vocab_size = len(next(iter(self._rows.values())))

    def next_probs(self, prefix) -> np.ndarray:
        """The law of the token after `prefix`; a list or array of ids counts as a tuple."""
        if hasattr(prefix, "tolist"):
            prefix = prefix.tolist()
        prefix = tuple(int(token) for token in prefix)
        if prefix not in self._rows:
            raise KeyError(f"you ask for the row after {prefix}, which no sentence needs")
        row = self._rows[prefix].copy()
        if len(self._given) < 1000:  # a sampler asks thousands of times; the first rows tell
            self._given.append((prefix, row))
        return row

    def check_unchanged(self) -> None:
        """Fail if a row that was handed out has been written into."""
        for prefix, row in self._given:
            if not np.array_equal(row, self._rows[prefix]):
                fail(f"your function writes into the row after {prefix}: work on a copy", 0.5)
