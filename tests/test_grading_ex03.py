"""Set 03: numbers of its prose, numbers of an id, and samplers at the edges."""

import itertools

import numpy as np
import pytest
from decodelab.grading import _shaping as shaping
from decodelab.grading import ex03
from decodelab.grading.answers import judge
from test_exercises import ROOT, code_cells, run_cells


@pytest.fixture(scope="module")
def namespace():
    return run_cells(code_cells((ROOT / "solutions/ex03_sampling.md").read_text(encoding="utf-8")))[0]


def test_slips_of_the_language_are_told_apart_at_every_temperature():
    temperatures = {ex03.your_temperature(f"s{i}") for i in range(400)}
    assert len(temperatures) == 24 and 1.0 not in temperatures
    for T in temperatures:
        for right, slips in zip(shaping.language_at(T), shaping.language_slips(T), strict=True):
            values = sorted([right, *slips.values()])
            assert all(b - a > 5e-4 * abs(b) for a, b in itertools.pairwise(values)), (T, values)
    assert np.allclose(shaping.language_at(0.5), [7.8417397, 0.732441], atol=1e-6)


def test_the_numbers_in_the_prose(namespace):
    P = namespace["P"]
    assert np.cumsum([0.1] * 10)[-1] == np.nextafter(1, 0) == ex03.LARGEST
    keep, alias = namespace["alias_table"](P)
    assert np.allclose(keep, [1, 0.9, 0.6]) and list(alias)[1:] == [0, 0]
    assert namespace["most_comparisons"](128_256) == 17
    pairs = namespace["subset_law"](P, 2)
    assert np.allclose([pairs[0, 1], pairs[0, 2], pairs[1, 2]], [18 / 35, 13 / 40, 9 / 56])
    assert np.round(namespace["cool"](P, 0.5), 3).tolist() == [0.658, 0.237, 0.105]
    kept = namespace["top_p"](np.array([0.5, 0.3, 0.1, 0.05, 0.05]), 0.9)
    assert np.round(kept, 3).tolist() == [0.556, 0.333, 0.111, 0, 0]
    cooled, cut = namespace["both_orders"](np.array([3.0, 2.0, 1.0]), 0.5, 0.8)
    assert (cooled > 0).sum() == 1 and np.round(cut, 4).tolist() == [0.8808, 0.1192, 0]


def test_the_two_orders_differ_in_every_case(namespace):
    for logits, T, mass in shaping._ORDERS:
        cooled, cut = namespace["both_orders"](np.array(logits), T, mass)
        assert np.abs(cooled - cut).max() > 0.05


def test_the_sampler_of_the_exercise_is_wrong_for_its_noise_alone(namespace):
    """Each of its draws has the right law; together they do not."""

    def same_noise(logits, *, rng):
        sampler = namespace["GumbelSampler"](logits.shape[1], rng=rng)
        with np.errstate(divide="ignore"):
            return [sampler.sample(row) for row in logits]

    verdict = judge("ex03.draw_rows", same_noise)
    assert "each row has its law, but the tokens are not independent" in verdict.sentence
    assert verdict.credit == 0.25


def test_a_sampler_that_waits_for_another_uniform_is_not_stopped_at_the_edges():
    def rejection(logits, *, rng):
        tokens = []
        for row in logits:
            p = np.exp(row - row.max())
            while True:
                token = min(int(rng.uniform() * len(row)), len(row) - 1)
                if rng.uniform() < p[token]:
                    tokens.append(token)
                    break
        return tokens

    assert judge("ex03.draw_rows", rejection).state == "right"
