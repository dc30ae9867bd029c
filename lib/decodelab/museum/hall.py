"""The exhibits, the small language they are shown on, and what is measured there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np

from decodelab import dists, drafters, exact, power, rules
from decodelab.models import LM, TableLM, Warped, tabulate
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
    the rule where its randomness cannot be enumerated. `right` is the rule and `honest` the drafter (None:
    the same) of code without the fault, on the same drafts. `seen` is a public report of this fault.
    """

    name: str
    title: str
    wrong: Callable
    rule: Callable = rules.rejection
    drafter: Callable = drafters.chain
    hides: str = ""
    kernel: Callable | None = None
    right: Callable = rules.rejection
    honest: Callable | None = None
    seen: str = ""

    def mended(self) -> Exhibit:
        """The right code on the same drafts."""
        drafter = self.honest or self.drafter
        return Exhibit("right", "The right code", self.right, rule=self.right, drafter=drafter)

    def round(self, target, draft, gamma: int) -> Callable:
        """One round with the fault, over models whose end token is `END`."""
        return speculate(target, self.drafter(draft, gamma, start=END, end=END), self.rule, end=END)


def _rule(function: Callable, title: str) -> Exhibit:
    return Exhibit(function.__name__, title, function, rule=function)


def _drafter(function: Callable, title: str, honest: Callable) -> Exhibit:
    return Exhibit(function.__name__, title, function, drafter=function, honest=honest)


def _two_drawn(lm, gamma, *, start, end=None):
    return drafters.with_replacement(lm, (2,) * min(gamma, 1), start=start, end=end)


def _two_chosen(lm, gamma, *, start, end=None):
    return drafters.chosen(lm, (2,) * min(gamma, 1), start=start, end=end)


def _likeliest(lm, gamma, *, start, end=None):
    return drafters.chosen(lm, (1,) * gamma, start=start, end=end)


def _cut(lm, gamma, *, start, end=None):
    return drafters.chain(Warped(lm, partial(dists.top_k, k=2)), gamma, start=start, end=end)


_SHARED = noise.SharedNoise()
_TYPICAL = partial(rules.typical_acceptance, epsilon=0.09, delta=0.3)  # the thresholds of Medusa's code

_GITHUB = "https://github.com/"

EXHIBITS: tuple[Exhibit, ...] = (  # in the order of the page
    _rule(broken.draws_from_the_target_again, "Rejected? Ask the target again"),
    _rule(broken.accepts_everything, "No test at all"),
    _rule(broken.accepts_what_is_likelier, "A threshold in place of a coin"),
    _rule(broken.ratio_upside_down, "Which of the two was p?"),
    _rule(broken.counts_all_acceptances, "Counting past the first rejection"),
    _rule(broken.one_uniform_for_all, "One uniform for the whole round"),
    _rule(broken.likeliest_token_first, "The first token needs no test"),
    Exhibit(
        "typical_acceptance", "Typical acceptance, sold as exact", rules.typical_acceptance, rule=_TYPICAL
    ),
    _rule(broken.residual_of_the_first_position, "The residual of another position"),
    replace(
        _rule(broken.softmax_of_the_residual, "The residual through a softmax"),
        seen=_GITHUB + "huggingface/transformers/pull/28508",
    ),
    _rule(broken.bonus_from_the_row_before, "The bonus token, one row early"),
    replace(
        _rule(broken.block_with_the_tokens_residual, "Block verification with the other residual"),
        right=rules.traversal,
    ),
    replace(_rule(broken.siblings_against_one_row, "Every sibling against the same row"), drafter=_two_drawn),
    replace(
        _drafter(drafts.likeliest_recorded_as_drawn, "A greedy draft with its softmax", _likeliest),
        seen=_GITHUB + "huggingface/transformers/issues/32867",
    ),
    replace(
        _drafter(drafts.row_before_the_cut, "Drawn after top-k, recorded before", _cut),
        seen=_GITHUB + "huggingface/transformers/issues/47932",
    ),
    _drafter(drafts.two_likeliest_recorded_as_drawn, "Top-k children as if they were drawn", _two_chosen),
    Exhibit(
        "shared_noise",
        "One seed for the draft and the residual",
        noise.SharedNoise,
        rule=_SHARED.rule,
        drafter=_SHARED.drafter,
        kernel=noise.shared_noise_kernel,
        honest=drafters.chain,
        seen=_GITHUB + "vllm-project/vllm/pull/54282",
    ),
    replace(
        _rule(broken.no_bonus_token, "The missing bonus token"),
        hides="speed",
        seen=_GITHUB + "vllm-project/vllm/pull/5765",
    ),
    replace(
        _drafter(drafts.draft_without_its_last_word, "A drafter that is a word behind", drafters.chain),
        hides="speed",
        seen=_GITHUB + "vllm-project/vllm/pull/9730",
    ),
    replace(
        _rule(broken.accepts_at_equality, "At most, or less than"),
        hides="edge",
        seen=_GITHUB + "sgl-project/sglang/issues/35771",
    ),
    replace(_rule(broken.uniform_where_nothing_is_left, "When nothing is left"), hides="edge"),
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

    `tv` of its sentences from the target's; `accepted` tokens a drafted one (NaN where nothing is drafted)
    and `per_call` tokens a round, which is what a benchmark shows; `impossible` is the mass of sentences that
    the target cannot write, and `samples` how many whole sentences a test needs to find the fault with a
    chance of one half: to see such a sentence, or by a chi-square at 1e-6 (infinite where the law is right).
    """

    tv: float
    accepted: float
    per_call: float
    impossible: float
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
        accepted=float(law.accepted / law.drafted) if law.drafted else math.nan,
        per_call=float(law.tokens_per_call),
        impossible=float(sum(mass for text, mass in law.probs.items() if text not in right)),
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

    Both are dicts from outcomes to masses. An outcome that the truth does not have, or has with mass 0, needs
    one sight: then it is the number of samples that show it with a chance of 1/2. Infinite where the laws are
    equal.
    **Law:** approximate, as `power.samples_needed`: below a hundred samples the number says "few", no more.
    """
    truth = {outcome: mass for outcome, mass in truth.items() if mass}
    foreign = float(sum(mass for outcome, mass in law.items() if outcome not in truth))
    if foreign > 0:
        return max(1.0, math.log(0.5) / math.log1p(-foreign)) if foreign < 1 else 1.0
    if len(truth) == 1:
        return math.inf
    rows = [[float(masses.get(outcome, 0)) for outcome in truth] for masses in (law, truth)]
    return power.samples_needed(*rows, cutoff)
