"""Ways to draw a token: exact marginals, counted comparisons, edges, and noise."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from decodelab import dists, exact, sampling
from decodelab.models import random_lm
from decodelab.rng import NumpyRng
from decodelab.sampling import (
    CountingUniform,
    alias_table,
    cdf_search,
    gumbel,
    gumbel_max,
    gumbel_top_k,
    linear_scan,
)
from hypothesis import given
from hypothesis import strategies as st
from mutate import mutant

P = np.array([0.5, 0.3, 0.2])
EDGES = [0.0, 5e-324, 0.25, 0.5, 0.999, float(np.nextafter(1.0, 0.0))]
METHODS = {
    "linear scan": linear_scan,
    "CDF search": lambda p, u: cdf_search(np.cumsum(p), u),
    "alias": lambda p, u: alias_table(p).draw(u),
}


def rows():
    rng = NumpyRng(3)
    return [random_lm(size, 0, rng=rng).next_probs(()) for size in (1, 2, 3, 5, 8) for _ in range(4)]


@pytest.mark.parametrize("name", METHODS)
def test_law_of_a_method_is_the_row(name):
    for row in rows():
        masses = exact.law(lambda *, rng, row=row: METHODS[name](row, rng.uniform()))
        assert masses == {i: mass for i, mass in enumerate(row) if mass}


MUTANTS = {
    "scan keeps no sum": (linear_scan, "below += p[token]", "below = p[token]", "linear scan"),
    "scan forgets the first": (linear_scan, "possible[:-1]", "possible[1:-1]", "linear scan"),
    "search one off": (cdf_search, "(low, middle) if", "(low, max(middle - 1, low)) if", "CDF search"),
    "search the other half": (cdf_search, "u < below[middle]", "u > below[middle]", "CDF search"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_law_tells_mutants_of_the_methods_apart(name):
    function, old, new, kind = MUTANTS[name]
    broken = mutant(function, old, new)
    gaps = []
    for row in rows():
        draw = (
            (lambda u, row=row: broken(row, u))
            if kind == "linear scan"
            else lambda u, row=row: broken(np.cumsum(row), u)
        )
        masses = exact.law(lambda *, rng, draw=draw: draw(rng.uniform()))
        gaps.append(dists.tv(exact.as_row(masses, len(row)), row))
    assert max(gaps) > 1e-3


def test_B23_alias_tables_give_back_the_row():
    for weights in ([0.8, 0.2], dists.normalise([8, 2])):
        np.testing.assert_allclose(alias_table(weights).marginals(), [0.8, 0.2], atol=1e-15)
    long_tail = dists.normalise(1 / np.arange(1, 1001))
    assert np.abs(alias_table(long_tail).marginals() - long_tail).max() < 1e-15
    table = alias_table([0.8, 0.2])
    swapped = sampling.AliasTable(1 - table.keep, table.alias)
    assert dists.tv(swapped.marginals(), [0.8, 0.2]) > 0.1
    with pytest.raises(ValueError, match="p sums to 10"):
        alias_table([8, 2])


@pytest.mark.parametrize("u", EDGES)
@pytest.mark.parametrize("row", [[0, 1], [1, 0], [0, 0.5, 0, 0.5, 0], [0.1] * 10 + [0.0]])
def test_B17_no_method_draws_an_impossible_token(row, u):
    row = np.array(row, dtype=float)
    for draw in METHODS.values():
        assert row[draw(row, u)] > 0
    with np.errstate(divide="ignore"):
        token = gumbel_max(np.log(row), gumbel(np.full(len(row), u)))
    assert row[token] > 0


def mean_comparisons(draw, p):
    """Expected number of comparisons, by running the method with a counting uniform in each of its slices."""
    total = 0.0
    below = np.concatenate([[0], np.cumsum(p)])
    for token, mass in enumerate(p):
        u = CountingUniform((below[token] + below[token + 1]) / 2)
        assert draw(p, u) == token
        total += mass * u.count[0]
    return total


def test_count_comparisons_of_scan_and_search():
    p = dists.normalise(1 / np.arange(1, 33))
    steps = np.minimum(np.arange(32) + 1, 31)  # the last token needs no comparison of its own
    assert mean_comparisons(linear_scan, p) == pytest.approx(float(steps @ p))
    assert mean_comparisons(METHODS["CDF search"], p) == 5
    counted = CountingUniform(0.3)
    alias_table(p).draw(counted)
    assert counted.count[0] == 1


@pytest.mark.parametrize(("size", "most"), [(1000, 10), (128_256, 17), (1, 0), (2, 1)])
def test_count_search_of_a_large_vocabulary(size, most):
    below = np.cumsum(np.full(size, 1 / size))
    counts = []
    for u in np.linspace(0, 0.999999, 50):
        counting = CountingUniform(u)
        cdf_search(below, counting)
        counts.append(counting.count[0])
    assert max(counts) == most == math.ceil(math.log2(size))


def test_B19_noise_is_finite_and_a_mask_stays_a_mask():
    noise = gumbel([1.0, 0.5])
    assert np.isfinite(noise).all() and np.isfinite(gumbel([0.0, 1.0])).all()
    assert gumbel_max([-math.inf, 0], noise) == 1
    with pytest.raises(ValueError, match="every token is masked"):
        gumbel_max([-math.inf, -math.inf], noise)
    with pytest.raises(ValueError, match=r"logits\[1\] = nan"):
        gumbel_max([0.0, math.nan], noise)


def test_B21_the_sign_of_the_transform():
    assert float(gumbel(0.5)) == pytest.approx(0.366513, abs=5e-7)
    grid = (np.arange(10**6) + 0.5) / 10**6
    assert gumbel(grid).mean() == pytest.approx(0.577215, abs=5e-5)


def test_law_of_gumbel_max_on_a_grid_of_noise():
    """The midpoint rule over the three uniforms: a theorem checked to the grid's accuracy, and a mutant."""
    points = gumbel((np.arange(100) + 0.5) / 100)
    noise = np.stack(np.meshgrid(points, points, points, indexing="ij"), axis=-1).reshape(-1, 3)

    def law(logits):
        return np.bincount((logits + noise).argmax(-1), minlength=3) / len(noise)

    assert dists.tv(law(np.log(P)), P) < 2e-3
    assert dists.tv(law(2 * np.log(P)), P) > 0.1
    picks = [gumbel_max(np.log(P), g) for g in noise[:: len(noise) // 500]]
    assert picks == (np.log(P) + noise[:: len(noise) // 500]).argmax(-1).tolist()


def test_law_of_the_race_is_gumbel_max_pathwise():
    rng = NumpyRng(1)
    for _ in range(200):
        u = rng.uniform(3)
        times = -np.log(u) / P
        assert sampling.race(P, u) == int(times.argmin())
    assert sampling.race([0.0, 1.0], [0.0, 0.9]) == 1


def test_B46_subsets_of_gumbel_top_k():
    p = np.array([Fraction(5, 10), Fraction(3, 10), Fraction(2, 10)], dtype=object)
    law = sampling.plackett_luce(p, 2)
    subsets = {}
    for order, mass in law.items():
        subsets[frozenset(order)] = subsets.get(frozenset(order), 0) + mass
    assert subsets == {
        frozenset({0, 1}): Fraction(18, 35),
        frozenset({0, 2}): Fraction(13, 40),
        frozenset({1, 2}): Fraction(9, 56),
    }
    assert law[(0, 1)] == Fraction(3, 10)


def test_law_of_gumbel_top_k_is_drawing_without_replacement():
    """Sequential draws, enumerated, are Plackett-Luce; Gumbel-top-k agrees on a grid of noise."""

    def sequential(*, rng):
        left, order = P.copy(), []
        for _ in range(2):
            token = rng.categorical(left / left.sum())
            order.append(token)
            left[token] = 0
        return tuple(order)

    law = sampling.plackett_luce(P, 2)
    assert exact.law_tv(exact.law(sequential), law) < 1e-15
    points = gumbel((np.arange(60) + 0.5) / 60)
    counts = {order: 0.0 for order in permutations(range(3), 2)}
    for a in points:
        for b in points:
            values = np.stack([np.full(60, a), np.full(60, b), points], -1) + np.log(P)
            for order in np.argsort(-values, axis=-1)[:, :2].tolist():
                counts[tuple(order)] += 60.0**-3
    assert exact.law_tv(counts, law) < 5e-3
    assert gumbel_top_k(np.log(P), points[:3], 5) == tuple(np.argsort(-(np.log(P) + points[:3])).tolist())


class FrozenNoise:
    """The sampler that draws its noise once, in its constructor."""

    def __init__(self, vocab_size, *, rng):
        self.noise = gumbel(rng.uniform(vocab_size))

    def sample(self, logits):
        return gumbel_max(logits, self.noise)


def test_noise_drawn_once_gives_one_class_for_ever():
    frozen, rng = FrozenNoise(3, rng=NumpyRng(4)), NumpyRng(4)
    assert len({frozen.sample(np.log(P)) for _ in range(20)}) == 1
    block = gumbel(rng.uniform((20, 3)))  # a block ahead, one row a step
    assert len({gumbel_max(np.log(P), row) for row in block}) == 3


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any), st.floats(0, 1, exclude_max=True))
def test_prop_all_methods_of_the_cdf_agree(weights, u):
    p = np.array(weights) / sum(weights)
    assert linear_scan(p, u) == cdf_search(np.cumsum(p), u)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_prop_alias_marginals_are_the_row(weights):
    p = np.array([Fraction(w, sum(weights)) for w in weights], dtype=object)
    assert alias_table(p).marginals().tolist() == p.tolist()


def test_law_without_replacement_does_not_cancel_on_peaked_rows():
    for row in (dists.softmax([40.0, 0, -1]), dists.softmax([30.0, 0, -1]), [1 - 1e-12, 6e-13, 4e-13]):
        for k in (1, 2, 3):
            law = sampling.plackett_luce(row, k)
            assert math.fsum(law.values()) == pytest.approx(1, abs=1e-12)
    ratio = sampling.plackett_luce(dists.softmax([30.0, 0, -1]), 2)
    assert ratio[0, 1] == pytest.approx(1 / (1 + math.exp(-1)), rel=1e-9)
    for k in (0, 3):
        with pytest.raises(ValueError, match=f"k must lie between 1 and the 2 possible tokens, got {k}"):
            sampling.plackett_luce([0.5, 0.5, 0.0], k)


def test_law_of_the_walk_on_float32_rows_is_that_of_their_float64_sums():
    row = np.full(128_256, 1 / 128_256, dtype=np.float32)
    for u in (0.25, 0.9999):
        assert linear_scan(row, u) == cdf_search(np.cumsum(row.astype(np.float64)), u)


def test_odd_shapes_are_refused():
    with pytest.raises(ValueError, match="k must be at least 1, got -1"):
        gumbel_top_k([0.0, 0.0], [0.0, 0.0], -1)
    with pytest.raises(ValueError, match=r"p must be one row, got shape \(1, 2\)"):
        alias_table([[0.5, 0.5]])


def test_every_comparison_of_a_counting_uniform_counts():
    u = CountingUniform(0.3)
    assert (u < 1, u <= 1, u > 1, u >= 1, 1 > u, 1 < u) == (True, True, False, False, True, False)
    assert u.count == [6] and (u * 2 - 0.1 > 0) and u.count == [7]


def test_noise_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="noise must have the shape"):
        sampling.gumbel_max([1.0, 2.0, 3.0], [0.1])
