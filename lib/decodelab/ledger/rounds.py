"""What the figures of speculative decoding are read from: small rounds, and whole sentences of the city."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial

import numpy as np
from scipy import stats

from decodelab import city, citygpt, dists, drafters, exact, rules
from decodelab.models import LM, TableLM, probs_tree, tabulate
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import acceptance, position_acceptance, speculate, write
from decodelab.tree import Draft, Step


def fractions(*weights: int) -> np.ndarray:
    """A row of Fractions proportional to whole numbers."""
    return np.array([Fraction(weight, sum(weights)) for weight in weights], dtype=object)


P, Q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.5, 0.3])
FOUR_P, FOUR_Q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.3, 0.3, 0.2])
TWO_P, TWO_Q = fractions(1, 2), fractions(2, 1)
BLOCK_P, BLOCK_Q = fractions(8, 6, 4, 2), fractions(1, 2, 7, 10)


LANGUAGE = {s.tokens: float(s.prob) for s in city.sentences()}


def always(p) -> TableLM:
    """A model that gives the same row everywhere."""
    return TableLM({}, default=p)


def of_rows(p, q, gamma: int, *, rule: Callable = rules.rejection) -> Callable[..., Step]:
    """A round over two models that give the same row everywhere; there is no end token."""
    return speculate(always(p), drafters.chain(always(q), gamma, start=0), rule, end=-1)


def first_token(p, q, *, rule: Callable = rules.rejection, chosen: bool = False) -> np.ndarray:
    """The law (V,) of the first token of a round with one draft, drawn from q or its likeliest token."""
    drafter = (drafters.chosen if chosen else drafters.with_replacement)(always(q), (1,), start=0)
    round = speculate(always(p), drafter, rule, end=-1)
    return exact.as_row(exact.law(lambda *, rng: round((), rng=rng).tokens[0]), len(p))


def split(p, q) -> tuple[np.ndarray, np.ndarray]:
    """The masses (V,) of tokens that were drafted and kept, and of tokens drawn after a rejection."""
    round = of_rows(p, q, 1)
    law = exact.law(lambda *, rng: (lambda step: (step.accepted, step.tokens[0]))(round((), rng=rng)))
    return tuple(np.array([law.get((kept, x), 0.0) for x in range(len(p))]) for kept in (1, 0))


def kept(p, q, gamma: int, **options):
    """Expected number of kept drafts in a round; Fractions for Fractions."""
    round = of_rows(p, q, gamma, **options)
    return sum(n * mass for n, mass in exact.law(lambda *, rng: round((), rng=rng).accepted).items())


def three_tokens(rule) -> dict:
    """The law of three tokens on the pair of the block rows: a round of two drafts, the rest from p."""
    round, plain = of_rows(BLOCK_P, BLOCK_Q, 2, rule=rule), ancestral(always(BLOCK_P))

    def text(*, rng):
        start = round((), rng=rng).tokens
        return start + write(plain, start, end=None, max_tokens=3 - len(start), rng=rng)

    return exact.law(text)


def gap(target: LM, draft: LM, *, drafter: Callable = drafters.chain) -> float:
    """Total variation of texts of up to three tokens from the target's: `rejection`, two drafts a round."""
    round = speculate(target, drafter(draft, 2, start=0, end=0), rules.rejection, end=0)
    law, plain = (exact.sentence_law(r, end=0, max_tokens=3) for r in (round, ancestral(target)))
    return exact.law_tv(law.probs, plain.probs) + abs(law.unfinished - plain.unfinished)


def asked_again(lm: LM, gamma: int, *, start: int, end: int | None = None) -> Callable[..., Draft]:
    """A chain whose rows are read from the model once more, after the tokens were drawn."""
    once = drafters.chain(lm, gamma, start=start, end=end)

    def drafter(prefix, *, rng):
        draft = once(prefix, rng=rng)
        return Draft(draft.tree, probs_tree(lm, prefix, draft.tree)[list(draft.tree.parents)])

    return drafter


def mix(p, q, share: float) -> np.ndarray:
    """The draft q moved towards the target p by `share`."""
    return share * p + (1 - share) * q


def random_rows(count: int) -> np.ndarray:
    """Pairs of random rows, (count, 2, 8)."""
    return dists.normalise(NumpyRng(0).uniform((count, 2, 8)))


# --- whole sentences of the city language ---------------------------------------------------------------


@cache
def bigram() -> tuple[dict, dict]:
    """The rows of the oracle and of the exact bigram."""
    return tabulate(city.oracle(), city.prefixes()), tabulate(city.ngram(2), city.prefixes())


@cache
def exactly(gamma: int, draft: str = "") -> exact.SentenceLaw:
    """Whole sentences under the exact rule: the bigram drafts for the oracle, a network for the network."""
    tables = (citygpt.rows("target"), citygpt.rows(draft)) if draft else bigram()
    return exact.kernel_law(*tables, rules.rejection_kernel, gamma, legal=city.is_prefix)


@cache
def top(k: int) -> exact.SentenceLaw:
    """Whole sentences under top-k acceptance, four drafts of the bigram a round."""
    kernel = partial(rules.top_k_kernel, k=k)
    tables = exact.reachable_rows(city.oracle(), city.ngram(2), kernel, 4)
    return exact.kernel_law(*tables, kernel, 4, legal=LANGUAGE.__contains__)


def scenes(law: exact.SentenceLaw) -> float:
    """The share of scenes among legal sentences: those whose first word is the likeliest, "the"."""
    return city.standing(law).shares["scene"]


def mean_log(law: exact.SentenceLaw) -> float:
    """The expected log-probability, in the language, of a sentence that a lossy rule writes."""
    return math.fsum(mass * math.log(LANGUAGE[s]) for s, mass in law.probs.items())


def alpha_of(draft: str) -> float:
    """The mean acceptance of a network that drafts for the network."""
    return citygpt.acceptance(citygpt.rows("target"), citygpt.rows(draft))


def spread(draft: str) -> str:
    """How acceptance is spread over tokens: the share above .99, and what the worst tenth stays below."""
    alpha, weight = position_acceptance(citygpt.rows("target"), citygpt.rows(draft))
    order = np.argsort(alpha)
    worst = alpha[order][np.searchsorted(np.cumsum(weight[order]), 0.1)]
    return f"{weight[alpha > 0.99].sum():.0%} above 0.99; worst 10% {worst:.3f}"


@cache
def shaken() -> dict:
    """The acceptance at each prefix of a draft whose logits are the oracle's, each moved by up to one."""
    rows = bigram()[0]
    p = np.stack(list(rows.values()))
    moved = dists.normalise(p * np.exp(2 * NumpyRng(0).uniform(p.shape) - 1))
    return dict(zip(rows, acceptance(p, moved), strict=True))


def same_error(kind: str) -> float:
    """The mean acceptance of `shaken` over the tokens of one sentence type."""
    group = [s for s in city.sentences() if s.type == kind]
    kept = math.fsum(float(s.prob) * shaken()[s.tokens[:t]] for s in group for t in range(len(s.tokens)))
    return kept / math.fsum(float(s.prob) * len(s.tokens) for s in group)


def table_chi_square(sentences: int) -> str:
    """Chi-square of the type-by-city table of so many sentences, drafted by the bigram four at a time."""
    drafter = drafters.chain(city.ngram(2), 4, start=city.END, end=city.END)
    round, rng = speculate(city.oracle(), drafter, rules.rejection, end=city.END), NumpyRng(0)
    cell = {s.tokens: (s.type, s.city) for s in city.sentences()}
    expected: Counter = Counter()
    for s in city.sentences():
        expected[s.type, s.city] += sentences * float(s.prob)
    seen = Counter(cell[write(round, max_tokens=20, rng=rng)] for _ in range(sentences))
    return f"{sentences:,} sentences: {_in_words([seen[c] for c in expected], list(expected.values()))}"


def drafted_chi_square(tokens: int) -> str:
    """Chi-square of so many tokens against P, drafted four at a time from Q in texts of fifty."""
    round, rng = of_rows(P, Q, 4), NumpyRng(0)
    texts = [write(round, end=None, max_tokens=50, rng=rng) for _ in range(tokens // 50)]
    return f"{tokens:,} tokens: {_in_words(np.bincount(np.concatenate(texts)), tokens * P)}"


def _in_words(seen, expected) -> str:
    statistic, chance = stats.chisquare(seen, expected)
    return f"chi-square {statistic:.1f} on {len(expected) - 1} degrees, p = {chance:.2f}"
