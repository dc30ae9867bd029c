"""What `audit` found, in numbers and in words."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from decodelab.exact.rounds import Seen, Setting
from decodelab.tree import Prefix

WIDTH = 80  # of a printed report
SMALL = 1e-6  # of an average in floats


@dataclass(frozen=True, eq=False)
class Case:
    """A place where a law differs: the number of the pair, the prefix, the tokens before the one shown.

    `p` and `q` (V,) are the target's row and the draft model's after `prefix` and after the tokens `emitted`
    earlier in the same round; `law` (V,) is the law of the next token there. `tv` is the total variation of
    the texts after `prefix`.
    """

    pair: int
    prefix: Prefix
    emitted: Prefix
    p: np.ndarray
    q: np.ndarray
    law: np.ndarray
    tv: float

    @classmethod
    def of(cls, pair: int, seen: Seen) -> Case:
        """The place of the round where the law is furthest off, weighed by the chance to get there."""
        setting = seen.setting
        begun = dict.fromkeys(text[:n] for n in range(setting.length) for text in seen.law)
        emitted = max(begun, key=lambda text: _gap(seen, text))  # the first of equals is the shortest
        prefix = (*setting.prefix, *emitted)
        row = _next(seen.law, emitted, setting)
        return cls(
            pair,
            setting.prefix,
            emitted,
            setting.target.next_probs(prefix),
            setting.draft.next_probs(prefix),
            row / row.sum(),
            seen.tv,
        )

    def __str__(self):
        token = int(np.argmax(np.abs(self.law - self.p).astype(float)))
        plural = "s" if len(self.emitted) > 1 else ""
        tokens = f"token{plural} {', '.join(map(str, self.emitted))}"
        before = f" in texts that begin with {tokens}" if self.emitted else ""
        gets, due = apart(self.law[token], self.p[token])
        return (
            f"with p = {row_text(self.p)} and q = {row_text(self.q)}{before}, "
            f"token {token} gets {gets} in place of {due}"
        )


def _gap(seen: Seen, emitted: Prefix) -> float:
    row = _next(seen.law, emitted, seen.setting)
    p = seen.setting.target.next_probs((*seen.setting.prefix, *emitted))
    return round(float(np.abs(row - row.sum() * p).sum()), 12)  # rounding must not choose a longer text


def _next(texts, emitted: Prefix, setting: Setting) -> np.ndarray:
    """The masses (V,) of the texts that begin with `emitted`, by the token after it."""
    row = np.zeros(setting.target.vocab_size, dtype=object)
    for text, mass in texts.items():
        if text[: len(emitted)] == emitted:
            row[text[len(emitted)]] += mass
    return row


@dataclass(frozen=True)
class Counts:
    """Averages a round over all cases: what a law does not see.

    `drafted` is the depth of the draft, `accepted` how many of its tokens the rule keeps, `by_rejection` how
    many of the same drafts the rejection rule keeps. `own` and `own_by_rejection` are the shares kept where
    the draft model is the target itself (None without such a case). `whole` says whether a draft that was
    kept whole ever came with one token more, `chance` how far chance may move an average (0 unless sampled).
    """

    drafted: float
    accepted: float
    by_rejection: float
    own: float | None
    own_by_rejection: float | None
    whole: bool
    chance: float = 0.0

    @classmethod
    def of(cls, seen: Sequence[Seen], samples: int = 0) -> Counts:
        """The averages over `seen`; `samples` rounds were drawn in each, or none."""
        own = [one for one in seen if one.setting.own]
        drafted = _mean(seen, "drafted")
        chance = 5 * drafted / (2 * (samples * len(seen)) ** 0.5) if samples else 0.0  # five standard errors
        return cls(
            drafted,
            _mean(seen, "accepted"),
            _mean(seen, "by_rejection"),
            _mean(own, "accepted") / _mean(own, "drafted") if own and _mean(own, "drafted") else None,
            _mean(own, "by_rejection") / _mean(own, "drafted") if own and _mean(own, "drafted") else None,
            any(one.whole for one in seen),
            chance,
        )

    @property
    def tokens(self) -> float:
        """Tokens a round: one more than is accepted."""
        return self.accepted + 1

    def lost(self) -> tuple[str, ...]:
        """Speed that is given away although the law may be right, a sentence each."""
        found = []
        if self.own is not None and not self.whole:  # unlike models may never agree on a whole draft
            found.append("no draft is kept whole and followed by one token more: the bonus token is missing")
        if self.accepted < self.by_rejection - self.chance - SMALL:
            found.append(f"of the same drafts it keeps {self.against_rejection()}")
        return (*found, *self._lost_own())

    def _lost_own(self) -> tuple[str, ...]:
        if self.own is None:
            return ()
        if self.own_by_rejection < 1 - SMALL:
            share = percentage(self.own_by_rejection)
            return (
                f"with draft = target the rejection rule, too, keeps only {share} of the drafts: the drafter "
                "chooses its tokens, or draws them from other rows (after a stale prefix, say)",
            )
        if self.own < 1 - SMALL:
            return (f"with draft = target only {percentage(self.own)} of the drafts are kept, not all",)
        return ()

    def against_rejection(self) -> str:
        """The average beside the rejection rule's, in words."""
        if not self.by_rejection or abs(self.accepted - self.by_rejection) <= self.chance + SMALL:
            return "as much as the rejection rule"
        percent = 100 * (self.accepted / self.by_rejection - 1)
        shown = f"{abs(percent):.0f}" if abs(percent) >= 0.5 else f"{abs(percent):.1g}"
        return f"{shown} % {'more' if percent > 0 else 'less'} than the rejection rule"

    def __str__(self):
        kept = f"{number(self.accepted)} drafted tokens of {number(self.drafted)} are kept a round"
        return f"{kept}, {self.against_rejection()}"


@dataclass(frozen=True)
class Audit:
    """The verdict on a rule: print it, or assert on its fields.

    `exact`: no law differed and nothing failed; `proved`: and that by enumeration, which is what to assert
    (`assert audit.proved, audit`). `way`: "run", "lazy uniforms" or "statistical". `tv`: the greatest total
    variation over the `cases` (of texts one token longer than the draft is deep), a Fraction if everything
    was, and in the statistical way an estimate that is never 0. `case`: where to look, on the first pair if
    the fault shows there. `error`: what was raised, with the draws that led to it. `edges`: what goes wrong
    at u = 0, at the largest u below 1, or in a branch that only rounding opened. `counts`: averages a
    round, and `lost`: what they say about speed. `notes`: how the law was sampled, what could not be tried.
    """

    exact: bool
    way: str
    tv: float = math.nan
    cases: int = 0
    case: Case | None = None
    error: str | None = None
    edges: tuple[str, ...] = ()
    counts: Counts | None = None
    notes: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Was the law found right in every case by running through all choices, and not by samples?"""
        return self.exact and self.way != "statistical"

    @property
    def lost(self) -> tuple[str, ...]:
        """Speed that is given away, a sentence each."""
        return self.counts.lost() if self.counts else ()

    def __str__(self):
        lines = [f"{self._verdict()} Way: {self.way}."]
        if self.case is not None:
            lines.append(f"For example, {self.case}.")
        if self.counts is not None:
            lines.append(f"Speed: {self.counts}{self._trap()}.")
        for title, sentences in (("Lost", self.lost), ("Edge", self.edges), ("Note", self.notes)):
            lines += [f"{title}: {sentence}." for sentence in sentences]
        return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines)

    def _trap(self) -> str:
        """Why a benchmark would not have told."""
        if self.exact or self.counts.accepted < self.counts.by_rejection - self.counts.chance - SMALL:
            return ""
        gains = self.counts.accepted > self.counts.by_rejection + self.counts.chance + SMALL
        return ": a benchmark shows a gain" if gains else ": a benchmark shows no fault"

    def _verdict(self) -> str:
        if self.error is not None:
            return f"No law: {self.error}."
        if not self.exact:
            about = "about " if self.way == "statistical" else ""
            worst = f"total variation {about}{number(self.tv)} in the worst of {self.cases} cases"
            return f"The distribution is not kept: {worst}."
        if self.way == "statistical":
            return f"No fault was seen in {self.cases} cases: evidence, and no proof."
        how = "up to rounding" if isinstance(self.tv, float) else "exactly"
        return f"The distribution is kept in all {self.cases} cases, {how}."


def error_text(error: Exception) -> str:
    """An error's type and message on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def number(value) -> str:
    """Up to four significant digits, without a leading zero: .35."""
    text = f"{float(value):.4g}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def percentage(value) -> str:
    """A share as a percentage; one short of the whole is not rounded up to it."""
    digits = 0 if value == 1 or value < 0.995 else 4
    return f"{100 * float(value):.{digits}f} %"


def apart(first, second) -> tuple[str, str]:
    """Two numbers with so many digits that they differ."""
    pair = number(first), number(second)
    for digits in (6, 8, 10, 12):
        if pair[0] != pair[1]:
            break
        pair = f"{float(first):.{digits}g}", f"{float(second):.{digits}g}"
    return pair


def row_text(row) -> str:
    """A row in round brackets: (.5, .3, .2)."""
    return f"({', '.join(map(number, row))})"


def rows_of(setting: Setting) -> str:
    """The two rows that a setting begins with."""
    p, q = (row_text(lm.next_probs(setting.prefix)) for lm in (setting.target, setting.draft))
    return f"p = {p} and q = {q} after the prefix {list(setting.prefix)}"


def _mean(seen: Sequence[Seen], name: str) -> float:
    return float(sum(getattr(one, name) for one in seen)) / len(seen)
