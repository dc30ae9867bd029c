"""One drafted token under each rule of verification: what is kept, and the exact law of what comes out.

Rows are token probabilities of shape (V,): `p` the target, `q` the draft. `verify_row.js` computes the same
in the browser; tests/test_explorers_verification.py holds the two together, and each law to running its rule.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import NamedTuple

import numpy as np

from decodelab import dists
from decodelab.explorers import detect

__all__ = ["RULES", "Outcome", "check_settings", "dragged", "outcome", "redrawn"]


class Outcome(NamedTuple):
    """`kept`, the mass of each drafted token that is kept, and `law`, that of each emitted token; (V,)."""

    kept: np.ndarray
    law: np.ndarray

    @property
    def acceptance(self):
        """The chance that the drafted token is kept."""
        return self.kept.sum()


def outcome(rule: str, p, q, *, k=1, leniency=0.5, epsilon=0.09, delta=0.3) -> Outcome:
    """What `rule`, a key of RULES, does to one token drafted from q.

    `k` is the size of "top_k", `leniency` l that of "lenient", `epsilon` and `delta` those of
    "typical_acceptance"; the other rules have no parameter.
    Errors: `ValueError` naming the argument.
    **Law:** that of the rule: p for "rejection", "match" and "gumbel"; lossy for the others.
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    p, q = dists.check_probs(p, "p"), dists.check_probs(q, "q")
    settings = {"k": k, "leniency": leniency, "epsilon": epsilon, "delta": delta}
    return RULES[rule](p, q, check_settings(len(p), **settings))


def check_settings(vocab_size: int, *, k, leniency, epsilon, delta) -> dict:
    """The parameters of the rules as a dict of numbers.

    Errors: `ValueError` naming the one that lies outside its range.
    """
    if isinstance(k, bool) or not isinstance(k, Integral) or not 1 <= k <= vocab_size:
        raise ValueError(f"k must be an integer from 1 to {vocab_size}, got {k!r}")
    if not 0 < leniency <= 1:
        raise ValueError(f"leniency must lie in (0, 1], got {leniency!r}")
    for name, level in (("epsilon", epsilon), ("delta", delta)):
        if not 0 <= level <= 1:
            raise ValueError(f"{name} must lie in [0, 1], got {level!r}")
    return {"k": int(k), "leniency": leniency, "epsilon": epsilon, "delta": delta}


def dragged(row, token: int, value: float) -> np.ndarray:
    """`row` with the probability of `token` at `value`, the others scaled to the rest of the mass; (V,).

    Where the others are zero throughout, they share the rest evenly.
    """
    others = np.where(np.arange(len(row)) == token, 0.0, row)
    if not others.sum() > 0:
        others = np.where(np.arange(len(row)) == token, 0.0, 1.0)
    return np.where(np.arange(len(row)) == token, value, others * ((1 - value) / others.sum()))


# --- the rules ----------------------------------------------------------------------------------------


def redrawn(kept, row) -> Outcome:
    """The mass `kept` is emitted as drafted, all the rest is drawn from `row`."""
    return Outcome(kept, kept + (1 - kept.sum()) * row)


def _rejection(p, q, settings) -> Outcome:
    return Outcome(np.minimum(p, q), detect.law_rejection(p, q))


def _match(p, q, settings) -> Outcome:
    return Outcome(p * q, p)  # the token drawn from p is emitted whether it matches or not


def _gumbel(p, q, settings) -> Outcome:
    """Two draws with the same Gumbel noise agree on x with chance 1 / sum_y max(p_y/p_x, q_y/q_x)."""
    totals = np.maximum(np.outer(q, p), np.outer(p, q)).sum(axis=1)
    return Outcome(p * q / np.where(totals > 0, totals, 1), p)


def _top_k(p, q, settings) -> Outcome:
    likeliest = np.argsort(-p, kind="stable")[: settings["k"]]
    return redrawn(np.where(np.isin(np.arange(len(p)), likeliest), q, q * 0), p)


def _lenient(p, q, settings) -> Outcome:
    return redrawn(np.minimum(q, p / settings["leniency"]), dists.residual(p, q))


def _typical(p, q, settings) -> Outcome:
    bound = min(settings["epsilon"], settings["delta"] * math.exp(-dists.entropy(p)))
    return redrawn(np.where(p > bound, q, q * 0), p)


def _redraw(p, q, settings) -> Outcome:
    return Outcome(np.minimum(p, q), detect.law_redraw(p, q))


def _accept_all(p, q, settings) -> Outcome:
    return Outcome(q, q)


RULES = {  # as named in verify_row.js; the last two are broken
    "rejection": _rejection,
    "match": _match,
    "gumbel": _gumbel,
    "top_k": _top_k,
    "lenient": _lenient,
    "typical_acceptance": _typical,
    "redraw": _redraw,
    "accept_all": _accept_all,
}
