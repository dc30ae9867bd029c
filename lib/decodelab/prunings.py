"""Prunings of a beam: functions from the candidates of a step to those that stay, for `beam.beam_search`.

Source: Freitag and Al-Onaizan 2017 (arXiv 1702.01806).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from decodelab.beam import Hypothesis, ranked, raw

__all__ = ["absolute", "per_parent", "ratio", "ratio_of_last", "ratio_of_logs"]

Prune = Callable[[list[Hypothesis]], list[Hypothesis]]


def absolute(nats: float) -> Prune:
    """Drop a candidate more than `nats` below the best of its step. Errors: `ValueError` for nats below 0."""
    _check(nats >= 0, "nats", nats, "at least 0")
    return lambda found: _at_least(found, max(h.score for h in found) - nats)


def ratio(share: float) -> Prune:
    """Drop a candidate whose *probability* is below `share` times the best: `absolute(-ln share)`.

    Errors: `ValueError` for a share outside (0, 1].
    """
    _check(0 < share <= 1, "share", share, "in (0, 1]")
    return absolute(-math.log(share))


def ratio_of_logs(factor: float) -> Prune:
    """Drop a candidate whose *log-score* is below `factor` times the best (scores are negative).

    The same factor is strict at the start of a text and lax later, as scores grow: it depends on the scale.
    Errors: `ValueError` for a factor below 1, which would drop the best candidate itself.
    """
    _check(factor >= 1, "factor", factor, "at least 1")
    return lambda found: _at_least(found, factor * max(h.score for h in found))


def ratio_of_last(share: float) -> Prune:
    """Drop a candidate whose last token has less than `share` times the probability of its likeliest sibling.

    Finished hypotheses have no sibling and stay. (Freitag and Al-Onaizan compare with the likeliest last
    token of all candidates.) Errors: `ValueError` for a share outside (0, 1].
    """
    _check(0 < share <= 1, "share", share, "in (0, 1]")

    def prune(found):
        best = defaultdict(lambda: -math.inf)
        for h in found:
            best[h.tokens[:-1]] = max(best[h.tokens[:-1]], h.last)
        return [h for h in found if h.last >= best[h.tokens[:-1]] + math.log(share)]

    return prune


def per_parent(most: int) -> Prune:
    """Keep at most the `most` best candidates of one parent. Errors: `ValueError` for most below 1."""
    _check(most >= 1, "most", most, "at least 1")

    def prune(found):
        families = defaultdict(list)
        for h in ranked(found, raw):
            families[h.parent].append(h)
        return [h for family in families.values() for h in family[:most]]

    return prune


def _at_least(found: list[Hypothesis], bound: float) -> list[Hypothesis]:
    return [h for h in found if h.score >= bound]


def _check(holds: bool, name: str, value, wanted: str) -> None:
    if not holds:
        raise ValueError(f"{name} must be {wanted}, got {value!r}")
