"""The three sources of randomness: what each accepts, and that numpy's draws have the row's law."""

import sys
from fractions import Fraction

import numpy as np
import pytest
from decodelab import exact
from decodelab.rng import EnumeratingRng, NumpyRng, Rng, ScriptedRng, TooManyTraces, pick
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

P = (0.5, 0.3, 0.2)


def test_every_source_keeps_the_protocol():
    assert all(isinstance(source, Rng) for source in (NumpyRng(0), ScriptedRng([]), EnumeratingRng()))


def test_same_seed_same_draws_and_a_generator_is_used_as_it_is():
    one, two = NumpyRng(3), NumpyRng(np.random.default_rng(3))
    assert [one.categorical(P) for _ in range(50)] == [two.categorical(P) for _ in range(50)]
    assert one.uniform((2, 3)).tolist() == two.uniform((2, 3)).tolist()


def test_stat_numpy_draws_follow_the_row_and_a_wrong_row_is_told_apart():
    """The one statistical test of this source: fixed seed, cut-off 1e-6, and a negative control."""
    rng = NumpyRng(11)
    counts = np.bincount([rng.categorical(P) for _ in range(20_000)], minlength=3)
    cut = stats.chi2.isf(1e-6, df=2)
    statistic = [
        ((counts - 20_000 * np.array(p)) ** 2 / (20_000 * np.array(p))).sum() for p in (P, (0.55, 0.27, 0.18))
    ]
    assert statistic[0] < cut < statistic[1]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), st.floats(0, 1, exclude_max=True))
def test_ref_pick_is_the_linear_scan(weights, u):
    p = [w / sum(weights) for w in weights]
    total, scan = 0.0, None
    for index, mass in enumerate(p):
        total += mass
        if scan is None and u < total:
            scan = index
    assert pick(p, u) == (scan if scan is not None else max(i for i, w in enumerate(weights) if w))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_law_of_pick_on_a_large_vocabulary_reaches_every_token(dtype):
    """Running sums in float32 end at .9999 here, and tens of thousands of tokens could never be drawn."""
    p = np.random.default_rng(0).dirichlet(np.full(128_256, 0.1)).astype(dtype)
    below = np.cumsum(p.astype(np.float64) / p.astype(np.float64).sum())
    for token in np.random.default_rng(1).choice(np.flatnonzero(np.diff(below) > 1e-11), 200) + 1:
        assert pick(p, (below[token - 1] + below[token]) / 2) == token


def test_scripted_draws_of_each_kind():
    rng = ScriptedRng([2, 0.79, True, 0.3, 0.25, 0.5])
    assert [rng.categorical(P), rng.categorical(P)] == [2, 1]
    assert rng.bernoulli(0.1) is True
    assert rng.bernoulli(0.3) is False  # u = a is a refusal: u < a is strict
    assert rng.uniform((2,)).tolist() == [0.25, 0.5]
    assert rng.remaining == 0


@pytest.mark.parametrize(
    ("draws", "ask", "message"),
    [
        ([], lambda r: r.uniform(), "draws has 0 entries"),
        ([1], lambda r: r.categorical([1.0, 0.0]), r"draws\[0\] = 1 has no probability"),
        ([3], lambda r: r.categorical(P), r"draws\[0\] = 3 has no probability"),
        ([True], lambda r: r.categorical(P), r"draws\[0\] = True has no probability"),
        ([True], lambda r: r.bernoulli(0), r"draws\[0\] = True cannot answer bernoulli\(0\)"),
        ([False], lambda r: r.bernoulli(1), r"draws\[0\] = False cannot answer"),
        ([1], lambda r: r.bernoulli(0.5), r"draws\[0\] = 1 cannot answer"),
        ([1.0], lambda r: r.uniform(), r"draws\[0\] = 1.0 is not a uniform"),
        ([2], lambda r: r.uniform(), r"draws\[0\] = 2 is not a uniform"),
        ([float("nan")], lambda r: r.bernoulli(0.5), r"draws\[0\] = nan is not a uniform"),
        ([-1.0], lambda r: r.bernoulli(0.5), r"draws\[0\] = -1.0 is not a uniform"),
        ([1.0], lambda r: r.categorical(P), r"draws\[0\] = 1.0 is not a uniform"),
    ],
)
def test_scripted_draws_that_cannot_happen_are_refused(draws, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(ScriptedRng(draws))


@pytest.mark.parametrize("source", [NumpyRng(0), EnumeratingRng(), ScriptedRng([0.5] * 9)])
def test_every_source_refuses_what_is_not_a_law(source):
    for row, message in [
        ([0.5, 0.6], "sums to 1.1"),
        ([[0.5, 0.5]], "one row"),
        ([], "one row"),
        ([1.5, -0.5], r"p\[1\]"),
    ]:
        with pytest.raises(ValueError, match=message):
            source.categorical(row)
    for a in (1.5, -0.1, float("nan")):
        with pytest.raises(ValueError, match="is not a probability"):
            source.bernoulli(a)


@given(st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=3).filter(any), min_size=1, max_size=4))
def test_law_masses_of_independent_draws_multiply(weights):
    rows = [np.array([Fraction(w, sum(ws)) for w in ws], dtype=object) for ws in weights]
    masses = exact.law(lambda *, rng: tuple(rng.categorical(row) for row in rows))
    assert sum(masses.values()) == 1
    for outcome, mass in masses.items():
        assert mass == np.prod([row[i] for row, i in zip(rows, outcome, strict=True)])


def test_count_a_trace_holds_a_thousand_choices_and_no_more():
    rng = EnumeratingRng()
    answers = [rng.bernoulli(0.5) for _ in range(1000)]
    assert rng.answers() == answers and rng.categorical([0.0, 1.0]) == 1  # what has one answer is no choice
    with pytest.raises(TooManyTraces, match="more than 1,000 random choices"):
        rng.bernoulli(0.5)


def test_importing_the_numpy_modules_does_not_import_torch():
    import subprocess

    modules = "rng, lazy, dists, tree, models, exact, city, sampling, speculative"
    code = f"import sys, decodelab; from decodelab import {modules}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
