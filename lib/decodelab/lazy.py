"""A uniform that is not drawn until somebody looks: exact laws of code that compares uniforms.

A `LazyUniform` is known only to lie in an interval, at first [0, 1). Comparing it with a number c asks a
coin of probability (c - low)/(high - low) and keeps the half that the coin chose. After any number of
comparisons the uniform is still uniform on what is left, so code written for real uniforms runs
unchanged and every one of its paths has an exact probability.
"""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Callable
from fractions import Fraction

import numpy as np

__all__ = ["LazyUniform", "NotEnumerable"]


class NotEnumerable(TypeError):
    """The code did something with a uniform (a logarithm, say) that has no finite set of outcomes."""


class LazyUniform:
    """The number `scale * u + shift`, where u is uniform on an interval and is narrowed by comparisons.

    `coin(a)` decides a comparison: it is the enumerating source's `bernoulli`. Affine arithmetic makes
    `u * q < p` and `1 - u` work; two results of the same u share its interval. Other arithmetic raises
    `NotEnumerable`, which says what was tried. `u / 0` is infinite, as in numpy: a rule that asks whether
    u / (p / q) < 1 refuses where p = 0.
    """

    __hash__ = None

    def __init__(self, coin: Callable[[object], bool]):
        self._interval = _Interval(coin)
        self._scale, self._shift = Fraction(1), Fraction(0)

    def _affine(self, scale, shift) -> LazyUniform:
        new = object.__new__(LazyUniform)
        new._interval, new._scale, new._shift = self._interval, Fraction(scale), Fraction(shift)
        return new

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """numpy asks here first: comparisons and affine arithmetic element by element, nothing else."""
        if ufunc not in _OPERATORS or method != "__call__" or options:
            raise NotEnumerable(
                f"numpy's {ufunc.__name__} was applied to a uniform; only comparisons are exact"
            )
        plain = [_unwrapped(x) for x in inputs]
        if not any(isinstance(x, np.ndarray) for x in plain):
            return _OPERATORS[ufunc](*plain)
        results = np.frompyfunc(_OPERATORS[ufunc], ufunc.nin, 1)(*map(_boxed, plain))
        return results.astype(bool) if ufunc in _COMPARISONS else results

    def _below(self, bound, *, or_equal: bool):
        """Is this number less than `bound`? A tie has probability zero, unless nothing random is left."""
        if isinstance(bound, np.ndarray):
            return (np.less_equal if or_equal else np.less)(self, bound)
        if isinstance(bound, LazyUniform):
            return self._below_lazy(bound, or_equal=or_equal)
        value, is_float = _number(bound)
        if value in (float("inf"), float("-inf")):
            return value > 0
        if self._scale == 0:
            return self._shift < value or (or_equal and self._shift == value)
        cut = (value - self._shift) / self._scale
        below = self._interval.below(cut, as_float=is_float)
        return below if self._scale > 0 else not below

    def _below_lazy(self, other: LazyUniform, *, or_equal: bool):
        if other._interval is self._interval:
            difference = self._affine(self._scale - other._scale, self._shift - other._shift)
            return difference._below(0, or_equal=or_equal)
        mine, theirs = self._range(), other._range()
        if mine[1] <= theirs[0]:
            return True
        if theirs[1] <= mine[0]:
            return False
        raise NotEnumerable("two uniforms were compared with each other; compare each with a number instead")

    def _range(self):
        ends = sorted(self._scale * end + self._shift for end in (self._interval.low, self._interval.high))
        return ends[0], ends[1]

    def __lt__(self, other):
        return self._below(other, or_equal=False)

    def __le__(self, other):
        return self._below(other, or_equal=True)

    def __gt__(self, other):
        return _opposite(self._below(other, or_equal=True))

    def __ge__(self, other):
        return _opposite(self._below(other, or_equal=False))

    def __eq__(self, other):
        raise NotEnumerable("a uniform was tested for equality, which has probability zero; use < or >")

    __ne__ = __eq__

    def __add__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # numpy then asks __array_ufunc__, element by element
        return self._affine(self._scale, self._shift + _constant(other, "+"))

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # numpy then asks __array_ufunc__, element by element
        return self._affine(self._scale, self._shift - _constant(other, "-"))

    def __rsub__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # numpy then asks __array_ufunc__, element by element
        return self._affine(-self._scale, _constant(other, "-") - self._shift)

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # numpy then asks __array_ufunc__, element by element
        factor = _constant(other, "*")
        return self._affine(self._scale * factor, self._shift * factor)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # numpy then asks __array_ufunc__, element by element
        divisor = _constant(other, "/")
        if divisor == 0:
            return self._over_zero()
        return self._affine(self._scale / divisor, self._shift / divisor)

    def _over_zero(self) -> np.float64:
        """What numpy makes of a quotient by zero; the sign may have to be asked for."""
        if self._scale == 0 == self._shift:
            return np.float64(np.nan)
        return np.float64(np.inf if self > 0 else -np.inf)

    def __neg__(self):
        return self._affine(-self._scale, -self._shift)

    def __pos__(self):
        return self

    def _refused(self, *others):
        raise NotEnumerable(
            "a uniform was used in arithmetic that is not affine; only a * u + b can be exact"
        )

    __pow__ = __rpow__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __rtruediv__ = _refused
    __divmod__ = __rdivmod__ = __abs__ = __round__ = _refused

    def __floor__(self) -> int:
        """Find the integer part by bisection, so that `floor(u * V)` has an exact law."""
        low, high = self._range()
        low, high = low.__floor__(), high.__ceil__()
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self < middle else (middle, high)
        return low

    def __int__(self) -> int:
        if self._range()[0] < 0:
            raise NotEnumerable("int() of a uniform that can be negative; use math.floor")
        return self.__floor__()

    __trunc__ = __int__

    def __format__(self, spec: str):
        raise NotEnumerable("a uniform was written into a text; it has no value yet")

    def __float__(self):
        raise NotEnumerable(
            "a uniform was turned into a float (a logarithm, say); only comparisons are exact"
        )

    def __bool__(self):
        raise NotEnumerable("a uniform was used as a truth value; compare it with a number")

    def __repr__(self):
        low, high = self._range()
        return f"LazyUniform[{float(low):.6g}, {float(high):.6g})"


class _Interval:
    """What is known of one uniform: it lies in [low, high)."""

    __slots__ = ("coin", "high", "low")

    def __init__(self, coin):
        self.coin, self.low, self.high = coin, Fraction(0), Fraction(1)

    def below(self, cut: Fraction, *, as_float: bool) -> bool:
        if cut <= self.low:
            return False
        if cut >= self.high:
            return True
        chance = (cut - self.low) / (self.high - self.low)
        # Bounds that came as floats give a float law: Fractions would only pretend to more digits.
        if self.coin(float(chance) if as_float else chance):
            self.high = cut
            return True
        self.low = cut
        return False


_COMPARISONS = {
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
}
_OPERATORS = _COMPARISONS | {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.true_divide: operator.truediv,
    np.negative: operator.neg,
    np.floor: math.floor,
}


def _unwrapped(value):
    """A numpy scalar as a Python number: its operators would come back here, and never end."""
    scalar = isinstance(value, np.generic) or isinstance(value, np.ndarray) and value.ndim == 0
    return value.item() if scalar else value


def _opposite(answer):
    return ~answer if isinstance(answer, np.ndarray) else not answer


def _boxed(value) -> np.ndarray:
    """`value` as an object array: inside one, numpy leaves comparing to Python."""
    if isinstance(value, np.ndarray):
        return value.astype(object)
    box = np.empty((), dtype=object)
    box[()] = value
    return box


def _number(value) -> tuple[Fraction | float, bool]:
    """Return `value` exactly, and whether it came as a float (infinities stay floats)."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.item()
    elif hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a torch scalar
        value = value.item()
    if isinstance(value, numbers.Rational):
        return Fraction(value), False
    if not isinstance(value, numbers.Real) or value != value:
        raise NotEnumerable(f"a uniform was compared with {value!r}, which is not a number")
    return (value if value in (float("inf"), float("-inf")) else Fraction(value)), True


def _constant(value, sign: str) -> Fraction:
    if isinstance(value, LazyUniform):
        raise NotEnumerable(f"two uniforms were combined with {sign}; only numbers may be")
    number = _number(value)[0]
    if not isinstance(number, Fraction):
        raise NotEnumerable(f"a uniform was combined with {number} by {sign}")
    return number
