"""The way that is left when code cannot be enumerated: rounds drawn at random, and a chi-square."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from decodelab.exact.rounds import Seen, Setting, emit, measures
from decodelab.exact.run import law_tv
from decodelab.models import LM
from decodelab.rng import Rng
from decodelab.tree import Prefix

FEWEST = 5  # expected outcomes in a cell of a chi-square; rarer ones share one
MOST_RARE = 0.5  # with more than this in the shared cell a test of one token sees nothing


def sampled(setting: Setting, rule: Callable, count: int, cutoff: float, *, rng: Rng) -> Seen:
    """Draw `count` rounds and hold the texts that the target makes of them against its own law.

    **Law:** statistical: a right rule `differs` with probability `cutoff`, in the chi-square's approximation.
    """
    rounds: Counter[Prefix] = Counter()
    drafts: Counter = Counter()
    measured: dict = {}
    whole = False
    for _ in range(count):
        draft = setting.drafter(setting.prefix, rng=rng)
        tokens, kept_whole = emit(setting, draft, rule, rng=rng)
        rounds[tokens] += 1
        whole = whole or kept_whole
        key = draft.tree, tuple(draft.q.ravel().tolist())
        drafts[key] += 1
        if key not in measured:
            measured[key] = measures(setting, draft)
    texts = _completed(rounds, setting.target, setting.prefix, setting.length, rng=rng)
    law = {text: n / count for text, n in texts.items()}
    return Seen(
        setting,
        law,
        law_tv(law, setting.truth),
        _differs(texts, setting.truth, count, cutoff),
        drafted=sum(n * measured[key][0] for key, n in drafts.items()) / count,
        accepted=sum(n * (len(tokens) - 1) for tokens, n in rounds.items()) / count,
        by_rejection=sum(n * measured[key][1] for key, n in drafts.items()) / count,
        whole=whole,
    )


def seen_at(setting: Setting, count: int, cutoff: float, chance: float = 0.5) -> float:
    """The total variation of one token's law from which `count` rounds show a fault with this `chance`.

    The non-centrality n sum d^2/p of a fault with total variation t is at least 4 n t^2 (Cauchy-Schwarz).
    NaN where the rows have so many rare tokens that the test of a token sees next to nothing.
    **Law:** approximate, for large counts: non-central chi-square (Patnaik 1949, Biometrika 36, 202-232).
    """
    from decodelab.power import noncentrality  # imports scipy.stats, which is slow

    tests = _tests(setting.truth)[1:]
    cells = [_cells(law, count) for law in tests]
    if any(_rare(law, count) > MOST_RARE for law in tests):
        return math.nan
    freedom = max(map(len, cells)) - 1
    if freedom < 1:
        return 0.0  # one token only in each place: any other gives the fault away
    return math.sqrt(noncentrality(freedom, cutoff / (len(tests) + 1), chance) / (4 * count))


def _tests(texts: Mapping[Prefix, float]) -> list[dict]:
    """What is tested: the texts, and the token at each place (over many tokens all texts are rare)."""
    places: list[dict] = [{} for _ in next(iter(texts))]
    for text, mass in texts.items():
        for place, token in zip(places, text, strict=True):
            place[token] = place.get(token, 0) + mass
    return [dict(texts), *places]


def _rare(law: Mapping, count: int) -> float:
    return float(sum(mass for mass in law.values() if mass * count < FEWEST))


def _completed(rounds: Mapping[Prefix, int], lm: LM, prefix: Prefix, length: int, *, rng: Rng) -> Counter:
    """Let `lm` write on from each round until all texts have `length` tokens."""
    for size in range(length):
        grown: Counter[Prefix] = Counter()
        for tokens, n in rounds.items():
            if len(tokens) > size:
                grown[tokens] += n
                continue
            below = np.cumsum(lm.next_probs((*prefix, *tokens)))
            drawn = np.searchsorted(below / below[-1], rng.uniform((n,)), side="right")
            grown.update({(*tokens, x): k for x, k in enumerate(np.bincount(drawn).tolist()) if k})
        rounds = grown
    return Counter(rounds)


def _cells(truth: Mapping, count: int) -> list[list]:
    """The outcomes as cells of a chi-square: the rare ones together."""
    common = [[outcome] for outcome, mass in truth.items() if mass * count >= FEWEST]
    rare = [outcome for outcome, mass in truth.items() if mass * count < FEWEST]
    return [*common, rare] if rare else common


def _differs(texts: Mapping[Prefix, int], truth: Mapping[Prefix, float], count: int, cutoff: float) -> bool:
    if any(not truth.get(text) for text in texts):
        return True  # an impossible text needs no statistics
    tests = list(zip(_tests(texts), _tests(truth), strict=True))
    return any(_refused(seen, law, count, cutoff / len(tests)) for seen, law in tests)


def _refused(seen: Mapping, law: Mapping, count: int, cutoff: float) -> bool:
    from scipy import stats

    statistic, cells = 0.0, _cells(law, count)
    for cell in cells:
        expected = count * sum(law[outcome] for outcome in cell)
        statistic += (sum(seen.get(outcome, 0) for outcome in cell) - expected) ** 2 / expected
    return len(cells) > 1 and statistic > stats.chi2.isf(cutoff, len(cells) - 1)
