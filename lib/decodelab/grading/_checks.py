"""What the checks of all sets are made of: call an answer, read what it returns, compare, explain.

An answer may return Python, numpy or torch values of any precision; torch is never imported here,
every value is read through its own `tolist`.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import warnings
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from decodelab.grading.answers import CheckFailed, NotWritten
from decodelab.lazy import NotEnumerable
from decodelab.rng import OTHER_SOURCE, TooManyTraces

RTOL = 1e-5  # a float32 result passes, an error in the third digit does not
ATOL = 1e-9  # for numbers that should be 0
TOLERANCE = "relative tolerance 1e-5"


class Raised(CheckFailed):
    """An answer raised `error` where it should have returned something."""

    def __init__(self, sentence: str, credit: float, error: Exception):
        super().__init__(sentence, credit)
        self.error = error


def fail(sentence: str, credit: float = 0.0):
    """The answer is wrong; `sentence` is shown to the student as it stands."""
    raise CheckFailed(sentence, credit) from None


# --- calling an answer -----------------------------------------------------------------------------


def need_function(answer, name: str) -> None:
    """Fail unless the answer can be called."""
    if not callable(answer):
        fail(f"{name} must be a function, you give {short(answer)}")


def call(answer: Callable, *arguments, about: str, credit: float = 0.0, **named):
    """Call an answer; what it raises becomes a sentence that starts with `about`."""
    try:
        with quiet():
            return answer(*arguments, **named)
    except (NotEnumerable, TooManyTraces):
        raise
    except NotImplementedError:
        raise NotWritten from None
    except Exception as error:
        if is_foreign_draw(error):
            raise
        sentence = f"{about} your function raises {type(error).__name__}: {one_line(error)}"
        raise Raised(sentence, credit, error) from None


@contextlib.contextmanager
def quiet():
    """log(0) = -inf is a right answer here, so numpy shall not warn of it."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def is_foreign_draw(error: Exception) -> bool:
    """Did the enumerating source find that a run did not repeat itself?"""
    return isinstance(error, ValueError) and OTHER_SOURCE in str(error)


def must_raise(answer: Callable, *arguments, kind: type[Exception], about: str, credit: float):
    """Fail unless the answer refuses these arguments with an exception of this kind."""
    try:
        with quiet():
            value = answer(*arguments)
    except kind:
        return
    except NotImplementedError:
        raise NotWritten from None
    except Exception as error:
        name, wanted = type(error).__name__, kind.__name__
        fail(f"{about} your function raises {name}, it must raise a {wanted}", credit)
    fail(f"{about} you return {short(value)}, it must be refused with a {kind.__name__}", credit)


def unchanged(now, before, about: str) -> None:
    """Fail if the answer wrote into an array it was given."""
    now, before = np.asarray(now), np.asarray(before)
    if now.shape != before.shape or not np.array_equal(now, before, equal_nan=True):
        fail(f"{about} your function writes into its argument: work on a copy", 0.5)


# --- reading what it returns -----------------------------------------------------------------------


def plain(value):
    """numpy and torch values as Python numbers and lists, also inside lists and tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def as_number(value, what: str) -> float:
    """The answer as a float; a list or array with one entry counts as that entry."""
    value = plain(value)
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None:
        fail(f"{what} must be a number, your function returns None (is a return missing?)")
    if not isinstance(value, numbers.Real):
        fail(f"{what} must be a number, you give {short(value)}")
    if math.isnan(value):
        fail(f"{what} is NaN")
    return float(value)


def as_token(value, what: str) -> int:
    """The answer as a token id."""
    number = as_number(value, what)
    if not math.isfinite(number) or number != math.floor(number) or number < 0:
        fail(f"{what} must be a token id, you give {show(number)}")
    return int(number)


def as_tokens(value, what: str) -> tuple[int, ...]:
    """The answer as a tuple of token ids."""
    tokens = plain(value)
    if not isinstance(tokens, list):
        fail(f"{what} must be a tuple of token ids, you give {short(value)}")
    return tuple(as_token(token, f"each entry of {what}") for token in tokens)


def as_row(value, size: int, what: str) -> list[float]:
    """The answer as a row of `size` numbers; a dict from token to mass is a row too."""
    if isinstance(value, Mapping):
        items = {as_token(k, f"each key of {what}"): v for k, v in value.items()}
        if any(token >= size for token in items):
            fail(f"{what} has token {max(items)}, the last one is {size - 1}")
        value = [items.get(token, 0.0) for token in range(size)]
    row = plain(value)
    if not isinstance(row, list) or len(row) != size:
        fail(f"{what} must be a row of {size} numbers, you give {short(value)}")
    return [as_number(entry, f"{what}: entry {i}") for i, entry in enumerate(row)]


# --- comparing -------------------------------------------------------------------------------------


def close(value: float, right: float) -> bool:
    """Equal within the tolerance (also both -inf)."""
    if math.isinf(right):
        return value == right
    return abs(value - right) <= RTOL * abs(right) + ATOL


def same_number(value: float, right: float, *, about: str, slips: Mapping[str, float], credit=0.0):
    """Fail unless `value` is right, and say by how much it is off; a known slip gets its own sentence.

    `slips` maps a clause ("that is the probability, not its logarithm") to the number it gives. Where two
    slips give the value nobody can say which it was, and none is named.
    """
    if close(value, right):
        return
    _name_slip(value, about, slips, credit)
    if math.isinf(value) or math.isinf(right):
        fail(f"{about} you give {show(value)}, right is {show(right)}", credit)
    more = "too much" if value > right else "too little"
    fail(f"{about} you give {show(value)}, {show(abs(value - right))} {more}", credit)


def same_secret(value: float, right: float, *, about: str, slips: Mapping[str, float]):
    """Like `same_number` for a task that asks for one number: how much it is off would give it away."""
    if close(value, right):
        return
    _name_slip(value, about, slips, 0.0)
    fail(f"{about} you give {show(value)}: too {'large' if value > right else 'small'}")


def _name_slip(value: float, about: str, slips: Mapping[str, float], credit: float) -> None:
    clauses = [clause for clause, wrong in slips.items() if close(value, float(wrong))]
    if len(clauses) == 1:
        fail(f"{about} you give {show(value)}: {clauses[0]}", credit)


def same_row(row: list[float], right, *, about: str, slips: Mapping[str, Iterable], credit=0.0):
    """Fail unless two rows agree; a known slip gets its own sentence."""
    right = [float(entry) for entry in right]
    if all(map(close, row, right)):
        return
    for clause, wrong in slips.items():
        if all(close(a, float(b)) for a, b in zip(row, wrong, strict=True)):
            fail(f"{about} {clause}", credit)
    token = max(range(len(right)), key=lambda i: abs(row[i] - right[i]))
    fail(f"{about} you give token {token} {difference(row[token], right[token])}", credit)


def difference(value: float, right: float) -> str:
    """Two masses in words: ".08 too much (you .40, right .32)"."""
    more, (mine, due) = "too much" if value > right else "too little", apart(value, right)
    return f"{show(abs(value - right))} {more} (you {mine}, right {due})"


# --- words -----------------------------------------------------------------------------------------


def apart(value: float, right: float) -> tuple[str, str]:
    """Two numbers with so many digits that one can see which is which."""
    for digits in range(4, 17):
        texts = show(value, digits), show(right, digits)
        if texts[0] != texts[1]:
            break
    return texts


def show(number: float, digits: int = 4) -> str:
    """A number the way the book writes it: four significant digits, no zero before the point."""
    text = f"{number:.{digits}g}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def short(value) -> str:
    """Any value in one short line."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return one_line(text)


def one_line(value) -> str:
    """A text, or an exception's message, cut to one short line."""
    text = " ".join(str(value).split())
    return text if len(text) <= 160 else text[:157] + "..."
