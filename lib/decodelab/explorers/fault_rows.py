"""Faults of the museum that show in one token: the exact law of each, and the acceptance that it reports.

Rows are token probabilities of shape (V,): `p` the target, `q` the draft. `fault_rows.js` computes the same
in the browser; tests/test_explorers_museum.py holds the two together, and each law to running the exhibit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from decodelab import dists
from decodelab.explorers.verify_row import Outcome, outcome, redrawn

__all__ = ["FAULTS", "Shown", "fault"]


class Shown(NamedTuple):
    """What a fault does to one token: its `law` (V,), the `acceptance` that a benchmark shows of it, and
    the `right` acceptance, that of rejection with the rows from which the same drafts are drawn."""

    law: np.ndarray
    acceptance: float
    right: float


def fault(name: str, p, q) -> Shown:
    """The law and the acceptance of the fault `name`, a key of FAULTS, on a target p and a draft q.

    Errors: `ValueError` for another name, or rows that are no probabilities.
    **Law:** lossy, each in its own way; p only where the draft hides the fault.
    """
    if name not in FAULTS:
        raise ValueError(f"fault must be one of {', '.join(FAULTS)}, got {name!r}")
    p, q = dists.check_probs(p, "p"), dists.check_probs(q, "q")
    drafted = DRAFTED[name](q) if name in DRAFTED else q
    out = FAULTS[name](p, q)
    return Shown(out.law, out.acceptance, np.minimum(p, drafted).sum())


# --- the rules ----------------------------------------------------------------------------------------


def _likelier(p, q, row) -> Outcome:
    """Keep a draft where p >= q and never else; then draw from `row`."""
    return redrawn(np.where(p >= q, q, q * 0), row)


def _upside_down(p, q) -> Outcome:
    """The ratio is q/p and the residual (q - p)+."""
    ratio = np.minimum(1, q / np.where(p > 0, p, 1))
    return redrawn(np.where(p > 0, q * ratio, q), dists.residual(q, p))


def _likeliest_first(p, q) -> Outcome:
    """The first token is the target's likeliest; the draft is kept if it is the same."""
    first = dists.greedy(p)
    return Outcome(q * first, first)


# --- the drafters -------------------------------------------------------------------------------------


def _recorded(p, q, drafted) -> Outcome:
    """Rejection that takes q for the row of drafts that were drawn from `drafted`."""
    ratio = np.minimum(1, p / np.where(q > 0, q, 1))
    return redrawn(drafted * ratio, dists.residual(p, q))


def _two_likeliest(q):
    return dists.top_k(q, 2)


DRAFTED = {"likeliest_recorded_as_drawn": dists.greedy, "row_before_the_cut": _two_likeliest}
FAULTS = {  # as named in fault_rows.js, and in decodelab.museum and decodelab.rules where they are there
    "draws_from_the_target_again": lambda p, q: outcome("redraw", p, q),
    "accepts_everything": lambda p, q: outcome("accept_all", p, q),
    "accepts_what_is_likelier": lambda p, q: _likelier(p, q, p),
    "likelier_then_residual": lambda p, q: _likelier(p, q, dists.residual(p, q)),
    "ratio_upside_down": _upside_down,
    "models_exchanged": lambda p, q: Outcome(np.minimum(p, q), q),
    "likeliest_token_first": _likeliest_first,
    "likeliest_recorded_as_drawn": lambda p, q: _recorded(p, q, dists.greedy(q)),
    "row_before_the_cut": lambda p, q: _recorded(p, q, _two_likeliest(q)),
    "top_k": lambda p, q: outcome("top_k", p, q, k=1),
    "lenient": lambda p, q: outcome("lenient", p, q, leniency=0.5),
    "typical_acceptance": lambda p, q: outcome("typical_acceptance", p, q, epsilon=0.09, delta=0.3),
}
