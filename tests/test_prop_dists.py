"""Maps and measures against plain loops, and what must hold for every row."""

import math
from fractions import Fraction

import numpy as np
import pytest
from decodelab import dists
from hypothesis import assume, given
from hypothesis import strategies as st

rows = st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any).map(lambda w: [x / sum(w) for x in w])
exact_rows = (
    st.lists(st.integers(0, 20), min_size=1, max_size=6)
    .filter(any)
    .map(lambda w: [Fraction(x, sum(w)) for x in w])
)
levels = st.floats(0, 1.2)


def by_probability(row):
    return sorted(range(len(row)), key=lambda i: (-row[i], i))


def kept(row, ids):
    total = sum(row[i] for i in ids)
    return [row[i] / total if i in ids else 0 for i in range(len(row))]


def slow_top_p(row, mass):
    ids, total = [], 0
    for i in by_probability(row):
        if ids and not total < mass:
            break
        ids, total = [*ids, i], total + row[i]
    return kept(row, ids)


def slow_top_k(row, k):
    return kept(row, by_probability(row)[:k])


def slow_typical(row, mass):
    h = -sum(x * math.log(x) for x in row if x)
    # the distance is computed as the library does, so that equal tokens tie in both
    possible = [i for i in range(len(row)) if row[i]]
    ids, total = [], 0
    for i in sorted(possible, key=lambda i: (abs(-np.log(row[i]) - h), i)):
        if ids and not total < mass:
            break
        ids, total = [*ids, i], total + row[i]
    return kept(row, ids)


@given(rows, st.integers(1, 10))
def test_ref_top_k(row, k):
    np.testing.assert_allclose(dists.top_k(row, k), slow_top_k(row, k), atol=1e-12)


@given(rows, st.floats(0, 0.999))
def test_ref_top_p(row, mass):
    np.testing.assert_allclose(dists.top_p(row, mass), slow_top_p(row, mass), atol=1e-12)


@given(exact_rows, st.fractions(0, Fraction(49, 50), max_denominator=50), st.integers(1, 7))
def test_ref_truncation_in_fractions(row, mass, k):
    row = np.array(row, dtype=object)
    assert dists.top_p(row, mass).tolist() == slow_top_p(row, mass)
    assert dists.top_k(row, k).tolist() == slow_top_k(row, k)
    assert dists.min_p(row, mass).tolist() == kept(
        row, [i for i in range(len(row)) if row[i] >= mass * max(row)]
    )


@given(rows, st.floats(0, 0.999))
def test_ref_locally_typical(row, mass):
    distances = sorted(abs(-math.log(x) - float(dists.entropy(row))) for x in set(row) if x)
    assume(all(b - a > 1e-9 for a, b in zip(distances, distances[1:], strict=False)))
    np.testing.assert_allclose(dists.locally_typical(row, mass), slow_typical(row, mass), atol=1e-12)


def test_ref_typical_prefers_the_tokens_of_average_surprisal():
    """A peaked row's likeliest token can be the *least* typical: Meister's point, in three tokens."""
    row = [0.6, 0.3, 0.1]
    assert np.flatnonzero(dists.locally_typical(row, 0.2)).tolist() == [1]
    assert np.flatnonzero(dists.top_p(row, 0.2)).tolist() == [0]


@given(rows, st.floats(0, 1))
def test_ref_eta(row, epsilon):
    h = -sum(x * math.log(x) for x in row if x)
    bound = min(epsilon, math.sqrt(epsilon) * math.exp(-h))
    assume(all(abs(x - bound) > 1e-12 for x in row))
    ids = [i for i in range(len(row)) if row[i] > bound or row[i] == max(row)]
    np.testing.assert_allclose(dists.eta(row, epsilon), kept(row, ids), atol=1e-12)


MAPS = {
    "greedy": lambda p, x: dists.greedy(p),
    "temperature": lambda p, x: dists.temperature(p, 2 * x),
    "top_k": lambda p, x: dists.top_k(p, 1 + int(5 * x)),
    "top_p": lambda p, x: dists.top_p(p, x),
    "min_p": lambda p, x: dists.min_p(p, min(x, 1)),
    "locally_typical": lambda p, x: dists.locally_typical(p, x),
    "eta": lambda p, x: dists.eta(p, min(x, 1)),
}


@pytest.mark.parametrize("name", MAPS)
@given(rows, levels)
def test_prop_a_map_gives_a_law_on_the_tokens_that_were_possible(name, row, level):
    before = list(row)
    new = MAPS[name](row, level)
    assert dists.check_probs(new).sum() == pytest.approx(1)
    assert all(row[i] > 0 for i in np.flatnonzero(new))
    assert row == before
    frozen = np.array(row)
    frozen.setflags(write=False)
    assert MAPS[name](frozen, level).tolist() == new.tolist()


@pytest.mark.parametrize("name", MAPS)
@given(
    st.lists(st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any), min_size=1, max_size=4), levels
)
def test_prop_a_batch_is_its_rows(name, weights, level):
    batch = np.array([[x / sum(w) for x in w] for w in weights])
    stacked = np.stack([MAPS[name](row, level) for row in batch])
    assert MAPS[name](batch, level).tolist() == stacked.tolist()
    assert MAPS[name](batch[:, None], level).tolist() == stacked[:, None].tolist()


@given(rows, st.floats(0.05, 20))
def test_ref_temperature_is_the_power(row, T):
    powers = np.array([x ** (1 / T) if x else 0.0 for x in row])
    assume(powers.max() > 1e-200)
    np.testing.assert_allclose(dists.temperature(row, T), powers / powers.sum(), atol=1e-12)


def test_temperature_in_fractions():
    row = np.array([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], dtype=object)
    assert dists.temperature(row, Fraction(1, 2)).tolist() == [
        Fraction(9, 14),
        Fraction(4, 14),
        Fraction(1, 14),
    ]
    assert dists.temperature(row, 1).tolist() == row.tolist()
    with pytest.raises(ValueError, match="T = 2 makes Fractions irrational"):
        dists.temperature(row, 2)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8), st.floats(0.1, 10))
def test_ref_softmax(logits, T):
    weights = [math.exp((z - max(logits)) / T) for z in logits]
    np.testing.assert_allclose(dists.softmax(logits, T), np.array(weights) / math.fsum(weights), atol=1e-12)


@given(exact_rows, st.data())
def test_ref_residual_and_measures(p, data):
    q = data.draw(st.lists(st.integers(0, 20), min_size=len(p), max_size=len(p)).filter(any))
    q = [Fraction(x, sum(q)) for x in q]
    excess = [max(a - b, 0) for a, b in zip(p, q, strict=True)]
    expected = [x / sum(excess) for x in excess] if any(excess) else p
    p_row, q_row = np.array(p, dtype=object), np.array(q, dtype=object)
    assert dists.residual(p_row, q_row).tolist() == expected
    assert dists.tv(p_row, q_row) == sum(excess)
    pairs = list(zip(p, q, strict=True))
    divergence = (
        math.inf if any(a and not b for a, b in pairs) else sum(a * math.log(a / b) for a, b in pairs if a)
    )
    assert float(dists.kl(p_row, q_row)) == pytest.approx(divergence, abs=1e-12)
    assert float(dists.entropy(p_row)) == pytest.approx(-sum(a * math.log(a) for a in p if a), abs=1e-12)
    assert dists.tv(p_row, q_row) ** 2 <= dists.kl(p_row, q_row) / 2 + 1e-12  # Pinsker


def test_bad_rows_are_refused_with_their_place():
    with pytest.raises(ValueError, match=r"p\[1, 0\] = -0.1 is not a probability"):
        dists.greedy([[0.5, 0.5], [-0.1, 1.1]])
    with pytest.raises(ValueError, match=r"q\[1\] sums to 0.9, not to 1"):
        dists.tv([[0.5, 0.5]] * 2, [[0.5, 0.5], [0.4, 0.5]])
    with pytest.raises(ValueError, match=r"index \[3\] lies outside \[0, 3\)"):
        dists.one_hot([3], 3)
    with pytest.raises(ValueError, match=r"weights\[0\] = -1.0 is not a weight"):
        dists.normalise([-1, 2])
    for mass in (-0.1, float("nan")):
        with pytest.raises(ValueError, match="mass must be at least 0"):
            dists.top_p([0.5, 0.5], mass)


def test_rows_of_different_length_are_refused():
    for measure in (dists.tv, dists.kl, dists.residual):
        with pytest.raises(ValueError, match="rows of one length, got 3 and 1"):
            measure([0.5, 0.3, 0.2], [1.0])


def test_odd_arguments_are_refused_by_name():
    with pytest.raises(ValueError, match=r"index must be whole numbers, got 1.5"):
        dists.one_hot(1.5, 3)
    with pytest.raises(ValueError, match="more than a float can hold"):
        dists.normalise([1e308, 1e308])
    for k in (None, float("nan"), float("inf"), 3.0):
        with pytest.raises(ValueError, match="k must be an integer"):
            dists.top_k([0.5, 0.5], k)
    row = np.array([Fraction(1, 2), Fraction(1, 2)], dtype=object)
    with pytest.raises(ValueError, match=r"use a Fraction\(1, n\)"):
        dists.temperature(row, 0.1)


def test_greedy_keeps_fractions():
    row = np.array([Fraction(1, 3), Fraction(2, 3)], dtype=object)
    assert dists.greedy(row).tolist() == [Fraction(0), Fraction(1)]
    assert all(isinstance(x, Fraction) for x in dists.greedy(row))
