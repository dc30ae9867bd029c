"""Mutants: a copy of a function with one piece of its source replaced, to prove that a test can fail."""

import inspect
import sys
import textwrap
from collections.abc import Callable


def mutant(function: Callable, old: str, new: str) -> Callable:
    """Return `function` with the one occurrence of `old` in its source replaced by `new`.

    Errors: `ValueError` if `old` does not occur exactly once, so that a mutant cannot silently become
    the original when the source changes.
    """
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(old) != 1:
        raise ValueError(f"old = {old!r} occurs {source.count(old)} times in {function.__qualname__}")
    namespace = dict(vars(sys.modules[function.__module__]))
    exec(compile(source.replace(old, new), f"<mutant of {function.__qualname__}>", "exec"), namespace)
    return namespace[function.__name__]
