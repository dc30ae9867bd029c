"""Figures of page 02, beam search."""

import math
from functools import cache, partial

import numpy as np

from decodelab import beam, city, citygpt, prunings, variety
from decodelab.beam import beam_search, gnmt
from decodelab.gpt import as_lm
from decodelab.rng import NumpyRng

BEST = city.ranking()[0]
WIDTHS = (1, 2, 4, 8, 16)


@cache
def search(width: int, *, prune=list, value=beam.raw) -> beam.Search:
    """A beam of the city language, kept for the rows that ask again."""
    return beam_search(city.oracle(), width, end=city.END, max_tokens=20, prune=prune, value=value)


def prob(hypothesis: beam.Hypothesis) -> float:
    """The probability of a text, from its score."""
    return math.exp(hypothesis.score)


def found(width: int, **options) -> bool:
    """Does a beam of this width find the best sentence?"""
    return search(width, **options).best.tokens == BEST.tokens


def kind_of(tokens) -> str:
    """The type of a sentence."""
    return next(s.type for s in city.sentences() if s.tokens == tokens)


def winner(alpha: float) -> city.Sentence:
    """The best of all sentences under the penalty of exponent alpha."""
    return max(city.sentences(), key=lambda s: gnmt(alpha)(math.log(s.prob), len(s.tokens)))


def top_of(width: int, alpha: float) -> str:
    """The type that a beam's last hypotheses give when they alone are ranked by the penalty."""
    return kind_of(max(search(width).hypotheses, key=lambda h: gnmt(alpha)(h.score, h.length)).tokens)


def sampled_starts(runs: int) -> int:
    """Different texts among `runs` that sample the first word and search on from there."""
    rng, lm = NumpyRng(0), city.oracle()
    texts = (variety.sample_then_beam(lm, 1, 4, end=city.END, max_tokens=20, rng=rng) for _ in range(runs))
    return len({text.tokens for text in texts})


RATIO_OF_LOGS = prunings.ratio_of_logs(1.5)
transformer = cache(lambda: as_lm(citygpt.load("target")))

ENTRIES = {
    "goals.logits.beam": lambda: bool(
        5.0 > 2.0 and -math.log(3) < float(2.0 - np.log(np.exp([2.0, -9.0, -9.0]).sum()))
    ),
    "beam.slide13.like": lambda: 0.4 * 0.4 * 0.6,
    "beam.slide13.love": lambda: 0.4 * 0.4 * 0.5,
    "beam.slide13.tie": lambda: "page 02, smallest case",
    "beam.slide13.trace": lambda: "page 02, figure of the steps",
    "beam.calls.bound": lambda: all(search(k).calls <= 1 + k * 11 for k in WIDTHS),
    "beam.calls.greedyfactor": lambda: all(search(k).calls <= k * search(1).calls for k in WIDTHS),
    "beam.candidates.topk": lambda: all(n <= k * k for k in WIDTHS for n in search(k).candidates),
    "beam.candidates.full": lambda: all(n <= k * 71 for k in WIDTHS for n in search(k).candidates),
    "beam.greedy.rank": lambda: (
        1 + sum(math.log(s.prob) > search(1).best.score + 1e-9 for s in city.ranking())
    ),
    "beam.greedy.ratio": lambda: prob(search(1).best) / float(BEST.prob),
    "beam.width.optimal": lambda: next(k for k in WIDTHS if found(k)),
    "beam.first.the": lambda: float(city.oracle().next_probs(())[city.encode("the")[0]]),
    "beam.gpt.same": lambda: all(
        (kind_of(beam_search(transformer(), k, end=city.END, max_tokens=20).best.tokens) == "scene")
        == (k < 7)
        for k in (1, 4, 8)
    ),
    "beam.map.short": lambda: sum(len(s.tokens) for s in city.ranking()[:20]) / 20,
    "beam.map.manysmall": lambda: sum(s.type == "scene" for s in city.sentences()),
    "beam.sample.types": lambda: float(sum(s.prob for s in city.sentences() if s.type == "scene")),
    "beam.lp.formula": lambda: math.isclose(gnmt(2.0)(-1.0, 7), -1.0 / ((5 + 7) / 6) ** 2.0),
    "beam.lp.t5": lambda: "raffel2020",
    "beam.lp.flip": lambda: next(a for a in (0, 0.6, 1, 2, 3) if winner(a).type == "scene"),
    "beam.lp.beam16": lambda: all(top_of(16, a) != "scene" for a in (0, 0.6, 1, 2, 3)),
    "beam.lp.searcherror": lambda: (
        "page 02, length penalty; test_city_length_penalty_flips_the_ranking_and_not_the_beam"
    ),
    "beam.prune.the": lambda: math.log(0.35),
    "beam.prune.threshold": lambda: 1.5 * math.log(0.35),
    "beam.prune.pittsburgh": lambda: math.log(0.090025) < 1.5 * math.log(0.35),
    "beam.prune.more": lambda: search(16, prune=RATIO_OF_LOGS).calls > search(16).calls,
    "beam.prune.abs": lambda: (
        found(16, prune=prunings.absolute(3)) and not found(16, prune=prunings.absolute(1))
    ),
    "beam.prune.local": lambda: not found(16, prune=prunings.ratio_of_last(0.5)),
    "beam.prune.domains": lambda: (
        "page 02, pruning; test_a_factor_on_log_scores_depends_on_the_scale_and_a_ratio_does_not"
    ),
    "beam.prune.paper": lambda: "freitag2017",
    "beam.stochastic": lambda: sampled_starts(50),
    "beam.deterministic": lambda: len({search.__wrapped__(4).best.tokens for _ in range(3)}),
    "beam.pitfall.wider": lambda: "page 02, where this breaks; test_city_beams_of_every_width",
    "beam.nonmonotone": lambda: "page 02, wider beam; test_a_wider_beam_can_be_worse",
    "beam.cost.linear": lambda: all(search(2 * k).calls > search(k).calls for k in WIDTHS),
    "city.greedy.ratio": lambda: float(BEST.prob) / prob(search(1).best),
    "city.greedy.rank": lambda: (
        1 + sum(math.log(s.prob) > search(1).best.score + 1e-9 for s in city.ranking())
    ),
    "city.beam.width": lambda: next(k for k in range(1, 17) if found(k)),
    **{f"city.beam.calls.{k}": partial(lambda k: search(k).calls, k) for k in WIDTHS},
    "city.prefixes": lambda: len(city.prefixes()),
}
