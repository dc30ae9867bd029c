"""Stand-ins for torch's random functions, so that torch code can be run through every outcome.

The one module of `exact` that imports torch; `from_torch` imports it when it is used. A torch function mode
(`torch.overrides`) sees every call of the torch API that this thread makes inside the `with` block, however
the function was imported, and ends with the block: nothing is patched.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.overrides import TorchFunctionMode

from decodelab.lazy import LazyUniform, NotEnumerable
from decodelab.rng import NumpyRng, Rng

UNSEEN = 0x5EED_0F_7E57  # no code under test seeds torch with this


@contextmanager
def standing_in(rng: Rng) -> Iterator[None]:
    """While the block runs, torch's random functions draw from `rng`.

    Errors: `NotEnumerable` for a random function without a stand-in, and at the end of the block if torch's
    own generator was touched in any way (by another thread, too: draw nothing there meanwhile).
    """
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(UNSEEN)
        before = torch.get_rng_state()
        with _StandIns(rng):
            yield
        if not torch.equal(before, torch.get_rng_state()):
            raise NotEnumerable(
                "torch's own generator was seeded, or drawn from by a function without a stand-in"
            )


@contextmanager
def seeded(rng: NumpyRng) -> Iterator[None]:
    """While the block runs, torch's generator (of the CPU) runs from a seed drawn from `rng`."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(int(rng.uniform() * 2**53))
        yield


class _StandIns(TorchFunctionMode):
    """Answers torch's random functions from `rng`; everything else runs as it is."""

    def __init__(self, rng: Rng):
        super().__init__()
        self._rng = rng

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, kwargs = func.__name__, kwargs or {}
        if name in WITHOUT:
            raise NotEnumerable(f"torch's {name} has no stand-in that branches")
        if name not in STAND_INS:
            return func(*args, **kwargs)
        for option in ("generator", "out"):
            if kwargs.pop(option, None) is not None:
                raise NotEnumerable(
                    f"torch's {name} with the argument {option} has no stand-in that branches"
                )
        return STAND_INS[name](self._rng, *args, **kwargs)


WITHOUT = frozenset(
    "cauchy_ exponential_ geometric_ gumbel_softmax log_normal_ normal normal_ poisson randint randint_like "
    "randn randn_like random_ randperm".split()
)


# --- the stand-ins: (rng, the function's own arguments) --------------------------------------------------


def _rand(rng: Rng, *size, **options):
    return _uniforms(rng, torch.empty(*size, **options))


def _rand_like(rng: Rng, like, **options):
    return _uniforms(rng, torch.empty_like(like, **options))


def _uniform_(rng: Rng, tensor, from_=0, to=1, **bounds):
    low, high = bounds.get("from", from_), to
    drawn = _uniforms(rng, tensor) * (high - low) + low
    if not isinstance(drawn, LazyTensor):
        return tensor.copy_(drawn)
    if tensor._base is not None:
        raise NotEnumerable("torch's uniform_ on a part of a tensor has no stand-in that branches")
    tensor.__class__ = LazyTensor  # in place: whoever holds the tensor must see the uniforms
    tensor.index, tensor.blank, tensor.uniforms = drawn.index, drawn.blank, drawn.uniforms
    return tensor


def _bernoulli(rng: Rng, chances, p=None):
    chances = chances if p is None else torch.full_like(chances, p)
    answers = [float(rng.bernoulli(a)) for a in chances.reshape(-1).tolist()]
    return torch.tensor(answers, dtype=chances.dtype).reshape(chances.shape)


def _bernoulli_(rng: Rng, tensor, p=0.5):
    chances = torch.as_tensor(p, dtype=torch.float64).expand(tensor.shape)
    return tensor.copy_(_bernoulli(rng, chances))


def _multinomial(rng: Rng, weights, num_samples: int, replacement: bool = False):
    drawn = [
        _indices(rng, row.double(), num_samples, replacement)
        for row in weights.reshape(-1, weights.shape[-1])
    ]
    return torch.tensor(drawn, dtype=torch.int64).reshape(*weights.shape[:-1], num_samples)


STAND_INS = {
    "rand": _rand,
    "rand_like": _rand_like,
    "uniform_": _uniform_,
    "bernoulli": _bernoulli,
    "bernoulli_": _bernoulli_,
    "multinomial": _multinomial,
}


def _indices(rng: Rng, weights: torch.Tensor, count: int, replacement: bool) -> list[int]:
    """`count` indices drawn from one row of weights (V,), in torch's manner and with its errors."""
    drawn: list[int] = []
    for _ in range(count):
        if not ((weights >= 0) & (weights < torch.inf)).all():
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if not weights.sum() > 0:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        drawn.append(rng.categorical((weights / weights.sum()).numpy()))
        if not replacement:
            weights = weights.index_fill(0, torch.tensor(drawn[-1:]), 0)
    return drawn


def _uniforms(rng: Rng, like: torch.Tensor) -> torch.Tensor:
    """Uniforms from `rng` in the shape and dtype of `like`: lazy ones, or numbers if `rng` gives numbers."""
    if like.device.type != "cpu":
        raise NotEnumerable(f"uniforms on {like.device} have no stand-in")
    drawn = rng.uniform((like.numel(),))
    if drawn.dtype == object:
        return LazyTensor.of(torch.arange(like.numel()).reshape(like.shape), list(drawn), like.dtype)
    largest = 1 - torch.finfo(like.dtype).eps / 2  # rounded to float32, 1 - 2^-53 would be 1
    return torch.tensor(drawn).clamp(max=largest).to(like.dtype).reshape(like.shape)


# --- uniforms that were not drawn ------------------------------------------------------------------------


class LazyTensor(torch.Tensor):
    """Lazy uniforms with the shape, dtype and manners of a tensor.

    `index` is an ordinary tensor that says where in the list `uniforms` each entry is found, and `blank` one
    of the dtype that the uniforms would have; both have the shape. What moves entries about is done to the
    index by torch itself. Comparing gives an ordinary tensor of booleans.
    """

    index: torch.Tensor
    blank: torch.Tensor
    uniforms: list[LazyUniform]

    @classmethod
    def of(cls, index: torch.Tensor, uniforms: list[LazyUniform], dtype: torch.dtype) -> LazyTensor:
        """The tensor whose entries are `uniforms[index]`."""
        blank = torch.empty(index.shape, dtype=dtype)
        self = blank.as_subclass(cls)
        self.index, self.blank, self.uniforms = index, blank, uniforms
        return self

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = func.__self__.__name__ if func.__name__ == "__get__" else func.__name__
        kwargs = kwargs or {}
        if name in OPERATORS and not kwargs:
            return _each(name, *args)
        if name == "searchsorted":
            return _searchsorted(*args, **kwargs)
        lazies = [x for x in args if isinstance(x, LazyTensor)]
        if len(lazies) == 1 and name in MOVES:
            moved = func(*(x.index if x is lazies[0] else x for x in args), **kwargs)
            return _moved(moved, lazies[0])
        if len(lazies) == 1 and name in CASTS | QUESTIONS:
            answer = func(*(x.blank if x is lazies[0] else x for x in args), **kwargs)
            return cls.of(lazies[0].index, lazies[0].uniforms, answer.dtype) if name in CASTS else answer
        raise NotEnumerable(
            f"torch's {name} was applied to a uniform; only a * u + b and comparisons are exact"
        )

    def item(self):
        return self.uniforms[self.index.item()]

    def tolist(self):
        return _nested(self.index.tolist(), self.uniforms)

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __bool__(self):
        return bool(self.item())

    def __repr__(self):
        return f"LazyTensor({self.tolist()!r})"


# What leaves every entry a uniform, and only says where it stands
MOVES = frozenset(
    "__getitem__ T mT chunk clone contiguous cpu data detach diagonal expand expand_as flatten flip gather "
    "index_select movedim narrow permute ravel repeat reshape reshape_as roll select split squeeze swapaxes "
    "take take_along_dim tile transpose unbind unflatten unsqueeze view view_as".split()
)
CASTS = frozenset("bfloat16 double float half to type type_as".split())
QUESTIONS = frozenset(
    "__len__ device dim dtype empty_like full_like get_device is_contiguous is_cuda is_floating_point layout "
    "ndim nelement numel ones_like requires_grad shape size stride zeros_like".split()
)
COMPARISONS = {
    "lt": operator.lt,
    "less": operator.lt,
    "le": operator.le,
    "less_equal": operator.le,
    "gt": operator.gt,
    "greater": operator.gt,
    "ge": operator.ge,
    "greater_equal": operator.ge,
}
OPERATORS = COMPARISONS | {
    "add": operator.add,
    "sub": operator.sub,
    "subtract": operator.sub,
    "__rsub__": lambda a, b: b - a,
    "rsub": lambda a, b: b - a,
    "mul": operator.mul,
    "multiply": operator.mul,
    "div": operator.truediv,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "neg": operator.neg,
    "negative": operator.neg,
}


def _each(name: str, *operands) -> torch.Tensor:
    """An operator entry by entry, operands broadcast as torch does."""
    blanks = [x.blank if isinstance(x, LazyTensor) else torch.as_tensor(x) for x in operands]
    shape = torch.broadcast_shapes(*(x.shape for x in blanks))
    results = list(map(OPERATORS[name], *(_entries(x, shape) for x in operands)))
    if name in COMPARISONS:
        return torch.tensor(results, dtype=torch.bool).reshape(shape)
    dtype = torch.result_type(*blanks) if len(blanks) == 2 else blanks[0].dtype
    return LazyTensor.of(torch.arange(len(results)).reshape(shape), results, dtype)


def _entries(operand, shape: torch.Size) -> list:
    if isinstance(operand, LazyTensor):
        return [operand.uniforms[i] for i in operand.index.expand(shape).reshape(-1).tolist()]
    return torch.as_tensor(operand).expand(shape).reshape(-1).tolist()


def _searchsorted(table, values, *, right: bool = False, side: str | None = None):
    """How many entries of the sorted `table` (..., V) lie below each of `values` (..., M): an inverse CDF."""
    table = table if table.dim() == 1 else table.unsqueeze(-2)
    below = "le" if right or side == "right" else "lt"
    return _each(below, table, values.unsqueeze(-1)).sum(dim=-1)


def _moved(index, lazy: LazyTensor):
    if isinstance(index, torch.Tensor):
        return LazyTensor.of(index, lazy.uniforms, lazy.blank.dtype)
    return type(index)(_moved(part, lazy) for part in index)


def _nested(index, uniforms):
    if isinstance(index, int):
        return uniforms[index]
    return [_nested(part, uniforms) for part in index]
