"""Check of set 06 on the loop: rounds until the end token or the budget, both of them inside a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, repeat
from typing import NamedTuple

from decodelab import exact
from decodelab.grading._cases import same_answers, same_numbers
from decodelab.grading._checks import as_number, as_tokens, call, fail, need_function, plain, short
from decodelab.grading._laws import same_law, worst_outcome
from decodelab.grading._named import partly, plural
from decodelab.grading._sentences import context_rows
from decodelab.rng import NumpyRng
from decodelab.tree import Prefix

__all__ = ["write"]

MOST = 40  # rounds that no right answer asks for


class Script(NamedTuple):
    """The blocks that the rounds give, and what the answer is asked for."""

    blocks: tuple[Prefix, ...]
    prefix: Prefix
    end: int
    max_tokens: int


_SCRIPTS = (
    Script(((5, 7, 2), (3, 0)), (), 0, 10),
    Script(((5, 7), (3, 0, 9, 4)), (4,), 0, 10),
    Script(((10, 11), (12, 13, 14, 15)), (), 0, 4),
    Script(((5, 7, 2), (4, 6)), (1, 2), 3, 3),
    Script(((7, 3, 5), (8, 8)), (), 3, 2),
    Script(((7, 5, 3), (8, 8)), (), 3, 2),
    Script(((6,), (0,)), (4, 0), 0, 5),
    Script(((6, 8), (1,)), (4,), 0, 0),
)


class _Rounds:
    """A round that plays a script, and remembers after which prefixes it was asked."""

    def __init__(self, script: Script):
        self._blocks = chain(script.blocks, repeat((script.end,)))
        self.asked: list[Prefix] = []

    def __call__(self, prefix, *, rng) -> Prefix:
        self.asked.append(tuple(plain(list(prefix))))
        if len(self.asked) > MOST:
            raise RuntimeError(f"{MOST} rounds, and no end")
        return next(self._blocks)


_Rounds.__name__ = _Rounds.__qualname__ = _Rounds.__call__.__qualname__ = "round"  # Python's messages name it


def write(answer) -> str:
    """The text up to the end token or the budget, and how many of its tokens were drafts."""
    need_function(answer, "write")
    abouts = [
        f"for blocks {', '.join(map(str, s.blocks))}, prefix {s.prefix}, end {s.end}, budget {s.max_tokens}"
        for s in _SCRIPTS
    ]
    played = [_play(answer, script, about) for script, about in zip(_SCRIPTS, abouts, strict=True)]
    texts, counts, asked = zip(*played, strict=True)
    _same_texts(texts, abouts)
    partly(0.5, _same_counts, counts, abouts)
    partly(0.5, _same_rounds, asked, abouts)
    partly(0.5, _same_law, answer)
    return f"text and accepted drafts agree for {len(_SCRIPTS)} scripts, and their law for random rounds"


def _play(answer: Callable, script: Script, about: str) -> tuple[Prefix, float, list[Prefix]]:
    rounds = _Rounds(script)
    budget = {"end": script.end, "max_tokens": script.max_tokens}
    value = call(answer, rounds, script.prefix, **budget, rng=NumpyRng(6), about=about)
    text, accepted = _parts(value, about)
    return text, accepted, rounds.asked


def _parts(value, about: str) -> tuple[Prefix, float]:
    parts = plain(value)
    if not isinstance(parts, list) or len(parts) != 2 or not isinstance(parts[0], list):
        fail(f"{about} you return {short(value)}: return (tokens, accepted), a tuple and a number")
    return as_tokens(parts[0], f"{about} the text"), as_number(parts[1], f"{about} accepted")


# --- the right answer, and some others ---------------------------------------------------------------


def _to_end(block: Prefix, end: int) -> Prefix:
    return block[: block.index(end) + 1] if end in block else block


def _cut(block: Prefix, end: int, room: int) -> Prefix:
    return _to_end(block, end)[:room]


def _pieces(script: Script, cut=_cut) -> list[tuple[Prefix, Prefix]]:
    """The blocks of the rounds that are asked for, each with the part of it that is written."""
    pieces, text = [], ()
    for block in chain(script.blocks, repeat((script.end,))):
        if len(text) >= script.max_tokens or text[-1:] == (script.end,):
            break
        pieces.append((block, cut(block, script.end, script.max_tokens - len(text))))
        text += pieces[-1][1]
    return pieces


def _text(script: Script, cut=_cut) -> Prefix:
    return tuple(token for _, kept in _pieces(script, cut) for token in kept)


def _short_of_prefix(script: Script) -> Prefix:
    return _text(script._replace(max_tokens=script.max_tokens - len(script.prefix)))


def _whole_blocks(script: Script) -> Prefix:
    text: Prefix = ()
    for block in script.blocks:
        if len(text) + len(_to_end(block, script.end)) > script.max_tokens:
            break
        text += _to_end(block, script.end)
        if script.end in text:
            break
    return text


_TEXT_SLIPS = {
    "what stands after the end token in its block must go": lambda s: _text(s, lambda b, e, r: b[:r]),
    "the budget ends inside a block too": lambda s: _text(s, lambda b, e, r: _to_end(b, e)),
    "blocks are cut, after the end token and at the budget": lambda s: _text(s, lambda b, e, r: b),
    "the end token is part of the text": lambda s: tuple(t for t in _text(s) if t != s.end),
    "give the new tokens alone": lambda s: s.prefix + _text(s),
    "an end token in the prefix does not stop anything": lambda s: () if s.end in s.prefix else _text(s),
    "a block that crosses the budget is cut, not left out": _whole_blocks,
    "the budget counts new tokens, not the prefix": _short_of_prefix,
}


def _same_texts(texts: Sequence[Prefix], abouts) -> None:
    same_answers(
        texts,
        [_text(script) for script in _SCRIPTS],
        abouts,
        {clause: [f(script) for script in _SCRIPTS] for clause, f in _TEXT_SLIPS.items()},
        equal=tuple.__eq__,
        write=str,
        explain=lambda value, due: f"right is {due}",
    )


_COUNT_SLIPS = {
    "drafts that are cut away were never written": lambda block, kept: len(block) - 1,
    "the last token of a block is the target's own": lambda block, kept: len(kept),
    "a block that is cut ends in a draft, which counts": lambda block, kept: len(kept) - 1,
}


def _accepted(block: Prefix, kept: Prefix) -> int:
    return min(len(kept), len(block) - 1)


def _count(script: Script, count=_accepted) -> int:
    return sum(count(block, kept) for block, kept in _pieces(script))


def _same_counts(counts: Sequence[float], abouts) -> None:
    slips = {clause: [_count(script, f) for script in _SCRIPTS] for clause, f in _COUNT_SLIPS.items()}
    slips["an end token that is the last of its block is the target's own"] = [
        _count(s, lambda block, kept, s=s: len(kept) if s.end in kept else _accepted(block, kept))
        for s in _SCRIPTS
    ]
    slips["that is the number of rounds"] = [len(_pieces(script)) for script in _SCRIPTS]
    about = [f"{about}, accepted:" for about in abouts]
    same_numbers(counts, [_count(script) for script in _SCRIPTS], about, slips)


def _same_rounds(asked: Sequence[list[Prefix]], abouts) -> None:
    for prefixes, script, about in zip(asked, _SCRIPTS, abouts, strict=True):
        due, text = [], script.prefix
        for _, kept in _pieces(script):
            due.append(text)
            text += kept
        for mine, right in zip(prefixes, due, strict=False):
            if mine != right:
                fail(f"{about} you ask for a round after {mine}, right is {right}")
        if len(prefixes) > len(due):
            many = f"{len(prefixes)} {plural(len(prefixes), 'round')}"
            fail(f"{about} you ask for {many}, {len(due)} {'is' if len(due) == 1 else 'are'} needed")


# --- rounds that draw ------------------------------------------------------------------------------------


@cache
def _rows() -> dict:
    return context_rows(81)


def _random_round(prefix: Prefix, *, rng) -> Prefix:
    tokens: Prefix = ()
    for _ in range(2 if rng.bernoulli(0.5) else 1):
        tokens += (rng.categorical(_rows()[tuple(plain(list(prefix))) + tokens].copy()),)
    return tokens


def _written(rng) -> tuple[Prefix, int]:
    text, accepted = (), 0
    while len(text) < 3 and 2 not in text:
        block = _random_round(text, rng=rng)
        kept = _cut(block, 2, 3 - len(text))
        text, accepted = text + kept, accepted + _accepted(block, kept)
    return text, accepted


def _same_law(answer: Callable) -> None:
    about = "for rounds that draw one or two tokens"

    def run(rng):
        value = call(answer, _random_round, (), end=2, max_tokens=3, rng=rng, about=about)
        text, accepted = _parts(value, about)
        return text, int(accepted)

    def compare(found, right):
        fail(f"{about} {worst_outcome(found, right)}: hand rng on to every round")

    same_law(run, exact.law(lambda *, rng: _written(rng)), compare)
