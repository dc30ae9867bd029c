"""The ways *run* and *lazy uniforms* for a rule under audit: every branch of a round, in each setting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from decodelab.exact.report import error_text, rows_of
from decodelab.exact.rounds import Seen, Setting, complete, emit, measures
from decodelab.exact.run import MAX_TRACES, enumerate_traces, law_tv
from decodelab.lazy import NotEnumerable
from decodelab.rng import OTHER_SOURCE, Rng, TooManyTraces

TOLERANCE = 1e-6  # of total variation where rows are floats: float32 code loses about 1e-7
REPEATED = 5  # so many first traces of each setting are run again


class Witness:
    """Passes draws on to a source and remembers whether a uniform was ever among them."""

    def __init__(self):
        self.way = "run"

    def watching(self, rng: Rng) -> Rng:
        """This witness as a source that draws from `rng`."""
        self.categorical, self.bernoulli, self._uniform = rng.categorical, rng.bernoulli, rng.uniform
        return self

    def uniform(self, shape=None):
        self.way = "lazy uniforms"
        return self._uniform(shape)

    def __getattr__(self, name: str):
        raise AttributeError(
            f"rng has categorical, bernoulli and uniform, and no {name}: wrap code that takes its uniforms "
            "from elsewhere in exact.from_random or exact.from_uniforms"
        )


def enumerated_all(rule: Callable, settings: Sequence[Setting], witness: Witness) -> list[Seen]:
    """`enumerated` in each setting: in Fractions, or in floats for a rule that does not take Fractions."""
    try:
        return [enumerated(setting, rule, witness) for setting in settings]
    except Exception as error:
        if isinstance(error, NotEnumerable | TooManyTraces) or OTHER_SOURCE in str(error):
            raise
    return [enumerated(setting.in_floats(), rule, witness) for setting in settings]


def enumerated(setting: Setting, rule: Callable, witness: Witness) -> Seen:
    """Run one round of `rule` through every branch.

    Errors: those of `law`, with a note that names the rows; what `rule` raises in branches of a mass below
    `TOLERANCE` is kept in `rare`, and the law goes without them.
    **Law:** exact up to that mass.
    """
    outcomes = _outcomes(setting, rule, witness)
    rare = tuple(outcome for outcome in outcomes if isinstance(outcome, str))
    emitted = {outcome: mass for outcome, mass in outcomes.items() if outcome not in rare}
    rounds: dict = {}
    for (tokens, _), mass in emitted.items():
        rounds[tokens] = rounds.get(tokens, 0) + mass
    drafts = enumerate_traces(partial(_measures, setting), MAX_TRACES, repeated=1)
    law = complete(rounds, setting.target, setting.prefix, setting.length)
    tv = law_tv(law, setting.truth)
    return Seen(
        setting,
        law,
        tv,
        differs=bool(tv > (TOLERANCE if isinstance(tv, float) else 0)),
        drafted=sum(mass * depth for (depth, _), mass in drafts.items()),
        accepted=sum(mass * (len(tokens) - 1) for tokens, mass in rounds.items()),
        by_rejection=sum(mass * kept for (_, kept), mass in drafts.items()),
        whole=any(whole for _, whole in emitted),
        rare=rare,
    )


def _outcomes(setting: Setting, rule: Callable, witness: Witness) -> dict:
    """The masses of what `emit` returns, and of what was raised in branches of hardly any mass."""

    def round(*, rng):
        source = witness.watching(rng)
        try:
            return emit(setting, setting.drafter(setting.prefix, rng=source), rule, rng=source)
        except Exception as error:
            if rng.mass() > TOLERANCE or _about_uniforms(error) or OTHER_SOURCE in str(error):
                raise
            return (
                f"in a branch of mass {float(rng.mass()):.1g}, with {rows_of(setting)}: {error_text(error)}"
            )

    try:
        return enumerate_traces(round, MAX_TRACES, REPEATED)
    except Exception as error:
        error.add_note(f"with {rows_of(setting)}")
        if _about_uniforms(error):
            raise NotEnumerable(str(error)) from error
        raise


def _about_uniforms(error: Exception) -> bool:
    """Was a lazy uniform misused? numpy and torch then raise errors of their own that name the type."""
    return isinstance(error, NotEnumerable) or "LazyUniform" in str(error) or "LazyTensor" in str(error)


def _measures(setting: Setting, *, rng: Rng):
    return measures(setting, setting.drafter(setting.prefix, rng=rng))
