"""Prunings of a beam: functions from the candidates of a step to those that stay, for `beam.beam_search`.

Source: Freitag and Al-Onaizan 2017 (arXiv 1702.01806). `ratio_of_last` compares siblings, as the lecture
this book grew from does.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from decodelab.beam import Hypothesis, ranked, raw

__all__ = ["absolute", "per_parent", "ratio", "ratio_of_last", "ratio_of_logs"]

Prune = Callable[[list[Hypothesis]], list[Hypothesis]]


def absolute(nats: float) -> Prune:
    """Drop a candidate more than `nats` below the best of its step."""
    return lambda found: [h for h in found if h.score >= max(c.score for c in found) - nats]


def ratio(share: float) -> Prune:
    """Drop a candidate whose *probability* is below `share` times the best: `absolute(-ln share)`."""
    return absolute(-math.log(share))


def ratio_of_logs(factor: float) -> Prune:
    """Drop a candidate whose *log-score* is below `factor` times the best (factor > 1: scores are negative).

    The same factor is strict at the start of a text and lax later, as scores grow: it depends on the scale.
    """
    return lambda found: [h for h in found if h.score >= factor * max(c.score for c in found)]


def ratio_of_last(share: float) -> Prune:
    """Drop a candidate whose last token has less than `share` times the probability of its likeliest sibling.

    Finished hypotheses have no sibling and stay.
    """

    def prune(found):
        best = defaultdict(lambda: -math.inf)
        for h in found:
            best[h.tokens[:-1]] = max(best[h.tokens[:-1]], h.last)
        return [h for h in found if h.last >= best[h.tokens[:-1]] + math.log(share)]

    return prune


def per_parent(most: int) -> Prune:
    """Keep at most the `most` best candidates of one parent."""

    def prune(found):
        families = defaultdict(list)
        for h in ranked(found, raw):
            families[h.parent].append(h)
        return [h for family in families.values() for h in family[:most]]

    return prune
