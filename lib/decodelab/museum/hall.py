"""The exhibits, the small language they are shown on, and what is measured there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np

from decodelab import drafters, exact, power, rules
from decodelab.models import LM, TableLM, tabulate
from decodelab.museum import drafts, noise
from decodelab.museum import rules as broken
from decodelab.sampling import ancestral
from decodelab.speculative import speculate
from decodelab.tree import Prefix

END, LENGTH = 0, 3
CUTOFF = 1e-6


@dataclass(frozen=True)
class Exhibit:
    """A fault: the function that has it (`wrong`), and the rule and drafter that it makes a round with.

    `drafter(lm, gamma, *, start, end)` makes a drafter. `hides` says what the fault changes: "" for the law,
    "speed" for the number of tokens a call, "edge" for single values of a uniform. `kernel` stands in for
    the rule where its randomness cannot be enumerated. `seen` is a public report of a fault of this kind.
    """

    name: str
    title: str
    wrong: Callable
    rule: Callable = rules.rejection
    drafter: Callable = drafters.chain
    hides: str = ""
    kernel: Callable | None = None
    seen: str = ""

    def round(self, target, draft, gamma: int) -> Callable:
        """One round with the fault, over models whose end token is `END`."""
        return speculate(target, self.drafter(draft, gamma, start=END, end=END), self.rule, end=END)


def _rule(function: Callable, title: str, *, hides="", drafter=drafters.chain, seen="") -> Exhibit:
    return Exhibit(function.__name__, title, function, rule=function, drafter=drafter, hides=hides, seen=seen)


def _drafter(function: Callable, title: str, *, hides="", seen="") -> Exhibit:
    return Exhibit(function.__name__, title, function, drafter=function, hides=hides, seen=seen)


def _two_drawn(lm, gamma, *, start, end=None):
    return drafters.with_replacement(lm, (2,) * min(gamma, 1), start=start, end=end)


_SHARED = noise.SharedNoise()
_TYPICAL = partial(rules.typical_acceptance, epsilon=0.09, delta=0.3)  # the thresholds of Medusa's code

EXHIBITS: tuple[Exhibit, ...] = (
    _rule(broken.draws_from_the_target_again, "Rejected? Ask the target again"),
    _rule(broken.accepts_everything, "No test at all"),
    _rule(broken.accepts_what_is_likelier, "A threshold in place of a coin"),
    _rule(broken.ratio_upside_down, "Which of the two was p?"),
    _rule(broken.counts_all_acceptances, "Counting past the first rejection"),
    _rule(broken.one_uniform_for_all, "One uniform for the whole round"),
    _rule(broken.residual_of_the_first_position, "The residual of another position"),
    _rule(broken.bonus_from_the_row_before, "The bonus token, one row early"),
    _rule(
        broken.softmax_of_the_residual,
        "The residual through a softmax",
        seen="https://github.com/huggingface/transformers/pull/28508",
    ),
    _rule(broken.likeliest_token_first, "The first token needs no test"),
    _rule(broken.block_with_the_tokens_residual, "Block verification with the other residual"),
    _rule(broken.siblings_against_one_row, "Every sibling against the same row", drafter=_two_drawn),
    _drafter(
        drafts.likeliest_recorded_as_drawn,
        "A greedy draft with its softmax",
        seen="https://github.com/huggingface/transformers/issues/32867",
    ),
    _drafter(
        drafts.row_before_the_cut,
        "Drawn after top-k, recorded before",
        seen="https://github.com/huggingface/transformers/issues/47932",
    ),
    _drafter(
        drafts.two_likeliest_recorded_as_drawn,
        "Top-k children as if they were drawn",
        seen="https://github.com/SafeAILab/EAGLE/issues/221",
    ),
    Exhibit(
        "shared_noise",
        "One seed for the draft and the residual",
        noise.SharedNoise,
        rule=_SHARED.rule,
        drafter=_SHARED.drafter,
        kernel=noise.shared_noise_kernel,
        seen="https://github.com/vllm-project/vllm/pull/54282",
    ),
    Exhibit(
        "typical_acceptance",
        "Typical acceptance, sold as exact",
        rules.typical_acceptance,
        rule=_TYPICAL,
        seen="https://github.com/SafeAILab/EAGLE/issues/148",
    ),
    _rule(
        broken.no_bonus_token,
        "The missing bonus token",
        hides="speed",
        seen="https://github.com/vllm-project/vllm/pull/5765",
    ),
    _drafter(
        drafts.draft_without_its_last_word,
        "A drafter that is a word behind",
        hides="speed",
        seen="https://github.com/vllm-project/vllm/pull/9730",
    ),
    _rule(
        broken.accepts_at_equality,
        "At most, or less than",
        hides="edge",
        seen="https://github.com/sgl-project/sglang/issues/35771",
    ),
    _rule(broken.uniform_where_nothing_is_left, "When nothing is left", hides="edge"),
)


# --- the small language ------------------------------------------------------------------------------

_TENTHS = ((5, 3, 2), (2, 5, 3)), ((5, 3, 2), (1, 2, 7))
RUNNING, ROWS = (tuple((Fraction(0), *(Fraction(n, 10) for n in row)) for row in pair) for pair in _TENTHS)


def pair() -> tuple[TableLM, TableLM]:
    """Target and draft over the words 1, 2, 3; every sentence has three words and the end token 0.

    The first word has the rows (.5, .3, .2) and (.1, .2, .7); after a word w each row is turned by w places,
    so that a row from the wrong place is another row. The residual has two words, as that of the running
    pair has not: faults in drawing from it show here. Fractions.
    """
    return _turning(ROWS[0]), _turning(ROWS[1])


@cache
def _turning(row: tuple[Fraction, ...]) -> TableLM:
    words = list(row[1:])
    rows = {}
    for length in range(LENGTH):
        for prefix in product((1, 2, 3), repeat=length):
            turn = prefix[-1] % 3 if prefix else 0
            rows[prefix] = np.array([Fraction(0), *words[-turn:], *words[:-turn]], dtype=object)
    ended = np.array([Fraction(1), *[Fraction(0)] * 3], dtype=object)
    return TableLM(rows, default=ended)


def truth(target: LM | None = None) -> dict[Prefix, Fraction]:
    """The law of the 27 sentences."""
    return exact.sentence_law(ancestral(target or pair()[0]), end=END).probs


@dataclass(frozen=True)
class Measured:
    """What an exhibit does on the small language, in exact numbers.

    `tv` of its sentences from the target's; `accepted` tokens a drafted one and `per_call` tokens a round,
    which is what a benchmark shows; `samples` of whole sentences that a chi-square at 1e-6 needs to find it
    with a chance of one half (infinite where the law is right).
    """

    tv: float
    accepted: float
    per_call: float
    samples: float


RIGHT = Exhibit("rejection", "The right rule", rules.rejection)


def measure(exhibit: Exhibit = RIGHT, *, models: tuple[LM, LM] | None = None, gamma: int = 2) -> Measured:
    """Measure an exhibit, or the right rule, on a target and a draft (`pair()`), `gamma` drafts a round.

    **Law:** exact (way: merge; for shared noise its kernel), but for `samples`, see `samples_needed`.
    """
    models = models or pair()
    right = truth(models[0])
    law = (
        _kernel_law(exhibit.kernel, models, right, gamma) if exhibit.kernel else _law(exhibit, models, gamma)
    )
    return Measured(
        tv=float(law.tv_from(right)),
        accepted=float(law.accepted / law.drafted),
        per_call=float(law.tokens_per_call),
        samples=samples_needed(law.probs, right),
    )


def first_token(exhibit: Exhibit = RIGHT) -> np.ndarray:
    """The exact law (3,) of the first token on the running pair P = (.5, .3, .2), Q = (.2, .5, .3).

    **Law:** exact (way: run; for shared noise its kernel).
    """
    p, q = (np.array(row[1:], dtype=object) for row in RUNNING)
    if exhibit.kernel:
        stay, end, _ = exhibit.kernel(p[None], q[None], None)
        return (stay + end)[0]
    target, draft = TableLM({}, default=p), TableLM({}, default=q)
    round = speculate(target, exhibit.drafter(draft, 1, start=0), exhibit.rule, end=-1)
    return exact.as_row(exact.law(lambda *, rng: round((), rng=rng).tokens[0]), len(p))


def _law(exhibit: Exhibit, models: tuple[LM, LM], gamma: int) -> exact.SentenceLaw:
    return exact.sentence_law(exhibit.round(*models, gamma), end=END)


def _kernel_law(kernel: Callable, models: tuple[LM, LM], texts, gamma: int) -> exact.SentenceLaw:
    """By its kernel, which does not count drafts: they are those of rejection, which keeps as many."""
    prefixes = [text[:t] for text in texts for t in range(len(text))]
    law = exact.kernel_law(*(tabulate(lm, prefixes) for lm in models), kernel, gamma)
    return replace(law, drafted=_law(RIGHT, models, gamma).drafted)


def samples_needed(law, truth, *, cutoff: float = CUTOFF) -> float:
    """How many samples of `law` a chi-square against `truth` at level `cutoff` needs for a chance of 1/2.

    Both are dicts from outcomes to masses. An outcome that the truth does not have needs one sight: then it
    is the number of samples that show it with a chance of 1/2. Infinite where the laws are equal.
    **Law:** approximate, for large numbers, as `power.samples_needed`.
    """
    foreign = float(sum(mass for outcome, mass in law.items() if outcome not in truth))
    if foreign > 0:
        return max(1.0, math.log(0.5) / math.log1p(-foreign)) if foreign < 1 else 1.0
    rows = [[float(masses.get(outcome, 0)) for outcome in truth] for masses in (law, truth)]
    return power.samples_needed(*rows, cutoff)
