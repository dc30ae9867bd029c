"""How `exact.audit` reports errors, other sources of randomness, and what it can only sample."""

import math
import re

import numpy as np
import pytest
import torch
from decodelab import drafters, exact, rules
from decodelab.dists import left_over
from decodelab.exact.rounds import Setting
from decodelab.exact.sampled import seen_at
from decodelab.explorers.detect import samples_needed
from decodelab.models import TableLM
from decodelab.rng import NumpyRng
from decodelab.tree import Draft, Tree
from mutate import mutant
from verifiers import said, with_draws, with_torch

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)


def audit(rule, **options):
    return exact.audit(rule, rng=NumpyRng(3), **options)


def always(*row):
    return TableLM({}, default=row)


RUNNING = [(always(*P), always(*Q))]
EQUAL = [(lm, lm) for lm in (always(*P),)]


# --- errors, and other sources of randomness --------------------------------------------------------------


def test_law_errors_of_the_code_are_the_verdict():
    def fails(p, q, tokens, *, rng):
        return [1 // (2 - tokens[0]) * 0 + rng.categorical(p[0])]

    found = audit(exact.from_rows(fails))
    assert not found.exact and found.tv != found.tv and found.counts is None and found.lost == ()
    assert found.error.startswith("ZeroDivisionError: ") and "in the trace of draws [2, 0]" in found.error
    assert "with p = (.5, .3, .2) and q = (.2, .5, .3) after the prefix []" in found.error
    assert said(found) == f"No law: {found.error}. Way: run."


WRONG_SHAPES = {
    "no pair": (lambda p, draft, *, rng: 1, "the rule returned 1 and not a pair"),
    "no path": (
        lambda p, draft, *, rng: ((2,), 0),
        r"the path \(2,\) does not lead down: 2 is no child of 0",
    ),
    "no node": (lambda p, draft, *, rng: ((1, 9), 0), r"the path \(1, 9\) does not lead down: 9"),
    "no token": (lambda p, draft, *, rng: ((), 3), r"the token 3 is not an id in \[0, 3\)"),
    "no number": (lambda p, draft, *, rng: ((), None), "the token None is not an id"),
    "nothing": (exact.from_rows(lambda p, q, tokens, *, rng: []), "emitted holds no token"),
    "floats": (
        exact.from_rows(lambda p, q, tokens, *, rng: [0.5]),
        "emitted holds 0.5, which is not a token",
    ),
}


@pytest.mark.parametrize("name", WRONG_SHAPES)
def test_law_of_the_wrong_shape_is_named(name):
    rule, message = WRONG_SHAPES[name]
    found = audit(rule)
    assert not found.exact and found.error.startswith("ValueError: ")
    assert re.search(message, found.error), found


def test_law_of_a_second_source_of_randomness_is_refused():
    hidden = np.random.default_rng(0)

    def rule(p, q, tokens, *, rng):
        return with_draws(p, q, tokens, rng=NumpyRng(hidden))

    found = audit(exact.from_rows(rule))
    assert not found.exact and "it draws from another source than `rng`, or keeps state" in found.error
    assert said(found).startswith("No law: ValueError: ")


def test_law_of_state_kept_between_runs_is_refused():
    runs = []

    def rule(p, q, tokens, *, rng):
        runs.append(rng.bernoulli(0.5))
        return [len(runs) % 3]

    found = audit(exact.from_rows(rule))
    assert not found.exact and "keeps state" in found.error


def test_law_refuses_what_is_no_audit():
    for options, message in [
        ({"shape": 0}, r"shape must hold at least one drafted token, got 0"),
        ({"pairs": []}, "pairs is empty"),
        ({"samples": 0}, "samples must be a whole number of at least 1, got 0"),
        ({"drafter": drafters.chosen, "shape": (0,)}, r"widths of a tree, got \(0,\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            audit(rules.rejection, **options)
    assert (
        "the draft is no chain"
        in audit(exact.from_rows(with_draws), drafter=drafters.with_replacement, shape=(2,)).error
    )


def test_law_of_a_rule_that_writes_into_its_rows_is_not_disturbed():
    def rule(p, draft, *, rng):
        verdict = rules.rejection(p, draft, rng=rng)
        p[:] = 0
        return verdict

    assert audit(rule).exact


def test_count_the_same_source_gives_the_same_report():
    reports = {
        str(audit(mutant(rules.rejection, "row = dists.left_over(row, q)", "row = row"))) for _ in "ab"
    }
    assert len(reports) == 1


# --- the statistical way ----------------------------------------------------------------------------------


def gumbel_argmax(row, u):
    row = np.asarray(row, dtype=float)
    return int(np.argmax(np.log(row) - np.log(-np.log(u))))


def with_gumbel(p, q, tokens, random):
    """Draws the last token by Gumbel noise, which no finite set of branches can follow."""
    for i, x in enumerate(tokens):
        if not random() * q[i, x] < p[i, x]:
            return [*tokens[:i], gumbel_argmax(left_over(p[i], q[i]), random(3))]
    return [*tokens, gumbel_argmax(p[-1], random(3))]


def test_law_of_gumbel_noise_is_sampled_and_says_so():
    found = audit(exact.from_random(with_gumbel), pairs=[*RUNNING, *EQUAL], samples=2000)
    assert found.exact and found.way == "statistical", found
    assert "callable log method" in found.notes[0] and found.notes[1].startswith(
        "2,000 rounds in each of 2 cases"
    )
    assert said(found).startswith("No fault was seen in 2 cases: evidence, and no proof. Way: statistical.")
    assert not found.lost and found.counts.chance > 0
    assert found.counts.by_rejection == pytest.approx((0.7 + 0.7**2 + 2) / 2, abs=found.counts.chance)


def shared_noise(lm, gamma, *, start, end):
    """Drafts by Gumbel noise and leaves it where `with_shared_noise` finds it."""

    def drafter(prefix, *, rng):
        tokens, rows = [], []
        LEFT_BEHIND.clear()
        for _ in range(gamma):
            rows.append(lm.next_probs((*prefix, *tokens)))
            LEFT_BEHIND.append(rng.uniform(len(rows[-1])))
            tokens.append(gumbel_argmax(rows[-1], LEFT_BEHIND[-1]))
        root = prefix[-1] if prefix else start
        return Draft(Tree.chain(root, tokens), np.stack([rows[0] * 0, *rows]))

    return drafter


LEFT_BEHIND = []


def with_shared_noise(p, q, tokens, *, rng):
    for i, x in enumerate(tokens):
        if not rng.bernoulli(min(1, p[i, x] / q[i, x])):
            return [*tokens[:i], gumbel_argmax(left_over(p[i], q[i]), LEFT_BEHIND[i])]
    return [*tokens, rng.categorical(p[-1])]


def test_law_of_noise_shared_by_draft_and_residual_is_not_kept():
    pair = [(always(0.1, 0.6, 0.3), always(0.4, 0.35, 0.25))]
    options = {"drafter": shared_noise, "shape": 1, "pairs": pair, "samples": 20_000}
    found = audit(exact.from_rows(with_shared_noise), **options)
    assert not found.exact and found.way == "statistical", found
    assert found.case.law == pytest.approx([0.1, 0.624, 0.276], abs=0.012)
    assert "total variation about .0" in said(found)
    fresh = audit(exact.from_rows(with_draws), **options)  # the negative control: the same draft, fresh noise
    assert fresh.exact, fresh


def with_race(p, q, tokens):
    """torch code that draws its last token by a race of exponentials, as serving engines do."""
    emitted = with_torch(p, q, tokens)
    n = len(emitted) - 1
    row = p[n] if n == len(tokens) else (p[n] - q[n]).clamp(min=0)
    return [*emitted[:n], (row / torch.empty_like(row).exponential_()).argmax()]


def test_law_of_torch_code_that_cannot_branch_is_sampled_from_a_seed_of_the_source():
    state = torch.get_rng_state()
    found = audit(exact.from_torch(with_race), pairs=RUNNING, samples=1000)
    assert found.exact and found.way == "statistical", found
    assert found.notes[0] == "not enumerable: torch's exponential_ has no stand-in that branches"
    assert found.notes[2].startswith("the ends of the unit interval were not tried: torch's exponential_")
    assert str(found) == str(audit(exact.from_torch(with_race), pairs=RUNNING, samples=1000))
    assert torch.equal(torch.get_rng_state(), state)


def test_law_of_a_generator_that_is_seeded_again_and_again_is_not_kept():
    def verify(p, q, tokens):
        return torch.multinomial(p[0], 1, generator=torch.Generator().manual_seed(5))

    found = audit(exact.from_torch(verify), pairs=RUNNING, samples=100)
    assert not found.exact and found.way == "statistical" and sorted(found.case.law) == [0, 0, 1]


def test_law_of_too_many_branches_is_sampled():
    def wasteful(p, q, tokens, *, rng):
        assert sum(rng.bernoulli(0.5) for _ in range(15)) >= 0
        return with_draws(p, q, tokens, rng=rng)

    found = audit(exact.from_rows(wasteful), pairs=RUNNING, shape=1, samples=100)
    assert found.exact and found.way == "statistical" and "more than max_traces = 20000" in found.notes[0]


def test_law_sampled_errors_are_reported():
    def fails(p, q, tokens, random):
        return [gumbel_argmax(p[0], random(3)) + 9]

    found = audit(exact.from_random(fails), samples=10)
    assert not found.exact and found.way == "statistical" and "is not an id in [0, 3)" in found.error


def test_law_of_an_impossible_text_needs_no_statistics():
    def impossible(p, q, tokens, random):
        return [0 if random(3).max() > 0 else 1]

    found = audit(exact.from_random(impossible), pairs=[(always(0.0, 0.5, 0.5), always(*Q))], samples=10)
    assert not found.exact and found.way == "statistical" and found.case.law[0] == 1


@pytest.mark.parametrize("count", [300, 20_000])
def test_ref_what_samples_can_see_is_the_power_of_the_chi_square(count):
    """Two texts of probability 1/2, where the worst of all faults of one size is known."""
    fair = TableLM({(): [0.5, 0.5]}, default=[1.0, 0.0])
    setting = Setting(fair, fair, (), lambda lm: None, length=2)
    assert list(setting.truth.values()) == [0.5, 0.5]
    shift = seen_at(setting, count, 1e-6)
    level = 1e-6 / 3  # one for the texts and one for each of their places
    assert samples_needed([0.5 + shift, 0.5 - shift], [0.5, 0.5], level) == pytest.approx(count, rel=1e-6)


def test_law_sampled_finds_a_fault_of_the_size_that_it_names():
    """A token's coin is bent by 1.5 times what is seen with probability 1/2: found; by a tenth of it: not."""
    lm = always(0.5, 0.5)

    def bent(by):
        def rule(p, q, tokens, random):
            return [int(-math.log(random()) > -math.log(0.5 + by))]

        return audit(exact.from_random(rule), pairs=[(lm, lm)], shape=1, samples=4000)

    setting = Setting(lm, lm, (), lambda lm: None, length=2)
    seen = seen_at(setting, 4000, 1e-6)
    assert bent(0).way == "statistical"
    assert not bent(1.5 * seen).exact and bent(seen / 10).exact
