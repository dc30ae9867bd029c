"""Known faults of samplers, by number: those that touch `dists`, `rng` and `tree`.

Each test holds the published input with its right value, then more inputs of the same kind.
"""

import numpy as np
import pytest
import torch
from decodelab import dists, exact
from decodelab.rng import EnumeratingRng, NumpyRng, ScriptedRng, pick
from decodelab.tree import Tree

LAST_BELOW_ONE = np.nextafter(1.0, 0.0)


def support(row):
    return np.flatnonzero(np.asarray(row) > 0).tolist()


def test_B01_nucleus_keeps_the_token_that_crosses_the_bound():
    np.testing.assert_allclose(dists.top_p([0.5, 0.3, 0.15, 0.05], 0.6), [0.625, 0.375, 0, 0])
    np.testing.assert_allclose(dists.top_p([0.4, 0.3, 0.2, 0.1], 0.8), [4 / 9, 3 / 9, 2 / 9, 0])
    assert support(dists.top_p([0.98, 0.01, 0.01], 0.985)) == [0, 1]
    np.testing.assert_allclose(
        dists.locally_typical([0.5, 0.3, 0.15, 0.05], 0.6), dists.normalise([0.5, 0.3, 0, 0])
    )


def test_B02_nucleus_stops_when_the_mass_is_met_exactly():
    np.testing.assert_allclose(dists.top_p([0.5, 0.25, 0.125, 0.125], 0.75), [2 / 3, 1 / 3, 0, 0])
    assert support(dists.top_p([0.3, 0.1, 0.1, 0.5], 0.8)) == [0, 3]
    assert support(dists.top_p([0.25] * 4, 0.5)) == [0, 1]
    assert support(dists.locally_typical([0.25] * 4, 0.5)) == [0, 1]


@pytest.mark.parametrize("warp", [dists.top_p, dists.locally_typical])
def test_B03_a_mass_of_zero_keeps_one_token(warp):
    row = dists.softmax([0, 1, 3, 2])
    assert dists.top_p(row, 0).tolist() == [0, 0, 1, 0]
    assert dists.top_p(dists.top_k(row, 2), 0).tolist() == [0, 0, 1, 0]
    assert len(support(warp(row, 0))) == 1
    assert len(support(warp([0.5, 0.5, 0.0], 0))) == 1


def test_B04_a_mass_of_one_is_the_identity_and_sums_are_float64():
    wide = np.full(128_256, np.float32(1 / 128_256))
    assert len(support(dists.top_p(wide, 1.0))) == 128_256
    # a mass of .95 must count the tail tokens one by one; a float32 running sum drops hundreds of them
    long_tail = np.array([0.9] + [1e-6] * 100_000)
    assert len(support(dists.top_p(long_tail, 0.95))) == 50_001
    for row in ([0.7, 0.2, 0.1], [1 / 3] * 3):
        for warp in (dists.top_p, dists.locally_typical):
            assert warp(row, 1.0).tolist() == row
            assert warp(row, 1.5).tolist() == row


def test_B06_top_p_is_the_mass_kept_not_the_mass_cut():
    kept = dists.top_p([0.5, 0.3, 0.15, 0.05], 0.95)
    assert support(kept) == [0, 1, 2]
    assert dists.top_p([0.5, 0.3, 0.15, 0.05], 0.999).tolist() == pytest.approx([0.5, 0.3, 0.15, 0.05])


@pytest.mark.parametrize("k", [3, 50])
def test_B07_a_k_of_the_vocabulary_or_more_is_the_identity(k):
    row = dists.softmax([1, 2, 3])
    assert dists.top_k(row, k).tolist() == row.tolist()
    np.testing.assert_allclose(row, [0.0900, 0.2447, 0.6652], atol=5e-5)


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_B08_a_k_that_means_nothing_is_refused(k):
    with pytest.raises(ValueError, match=f"k must be an integer of at least 1, got {k}"):
        dists.top_k([0.2, 0.8], k)


def test_B09_top_k_keeps_exactly_k_on_ties_in_one_row_and_in_many():
    row = dists.softmax([1, 2, 2, 2, 3])
    assert support(dists.top_k(row, 3)) == [1, 2, 4]
    many = dists.top_k(np.tile(row, (8, 1)), 3)
    assert (many == dists.top_k(row, 3)).all()
    half = dists.softmax(torch.tensor([1, 2, 2, 2, 3], dtype=torch.bfloat16))
    assert support(dists.top_k(half, 3)) == [1, 2, 4]


def test_B10_top_1_is_greedy_when_the_maximum_is_tied():
    row = dists.softmax([5, 7, 7, 1])
    rng = NumpyRng(0)
    assert {rng.categorical(dists.top_k(row, 1)) for _ in range(1000)} == {1}
    assert dists.top_k(row, 1).tolist() == dists.greedy(row).tolist() == [0, 1, 0, 0]
    assert dists.softmax(torch.tensor([21.375, 21.375], dtype=torch.bfloat16), 0).tolist() == [1, 0]


def test_B11_temperature_zero_is_greedy_and_a_negative_one_is_refused():
    assert dists.softmax([1, 2], 0).tolist() == [0, 1]
    assert dists.softmax([2, 2], 0).tolist() == [1, 0]
    assert dists.temperature([0.3, 0.7], 0).tolist() == [0, 1]
    for T in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="temperature must be finite and at least 0"):
            dists.softmax([1, 2], T)
        with pytest.raises(ValueError, match="temperature must be finite and at least 0"):
            dists.temperature([0.3, 0.7], T)


@pytest.mark.parametrize("T", [1e-38, 1e-300, 5e-324])
def test_B12_a_tiny_temperature_does_not_overflow(T):
    assert dists.softmax(np.array([100, 99], dtype=np.float32), T).tolist() == [1, 0]
    assert dists.softmax([-1000, -1e308], T).tolist() == [1, 0]
    assert dists.temperature([0.6, 0.4, 0.0], T).tolist() == [1, 0, 0]


def test_B13_the_order_of_temperature_and_top_p_is_the_callers():
    row = dists.softmax([3, 2, 1])
    tempered = dists.temperature(row, 0.5)
    np.testing.assert_allclose(tempered, [0.8668, 0.1173, 0.0159], atol=5e-5)
    assert support(dists.top_p(tempered, 0.8)) == [0]
    truncated = dists.temperature(dists.top_p(row, 0.8), 0.5)
    np.testing.assert_allclose(truncated, [0.8808, 0.1192, 0], atol=5e-5)


def test_B15_min_p_compares_probabilities_and_cuts_to_zero():
    assert dists.min_p(dists.softmax([4, 2, 0]), 0.2).tolist() == [1, 0, 0]
    assert dists.min_p(dists.softmax([-1, -5]), 0.5).tolist() == [1, 0]
    assert dists.min_p([0.4, 0.4, 0.2], 0.5).tolist() == [0.4, 0.4, 0.2]  # exactly half stays
    for ratio in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="ratio must be in"):
            dists.min_p([0.4, 0.6], ratio)


@pytest.mark.parametrize("u", [0.0, 5e-324, 0.5, LAST_BELOW_ONE])
@pytest.mark.parametrize("row", [[0, 1], [1, 0], [0, 0.5, 0, 0.5, 0], [0.1] * 10 + [0]])
def test_B17_no_uniform_draws_a_token_of_probability_zero(row, u):
    assert row[pick(row, u)] > 0
    assert row[ScriptedRng([u]).categorical(row)] > 0


def test_B17_the_top_edge_when_the_row_sums_to_less_than_one():
    row = [0.1] * 9 + [0.1 - 1e-9, 0.0]
    assert pick(row, LAST_BELOW_ONE) == 9
    for u in (1.0, -1e-9, float("nan")):
        with pytest.raises(ValueError, match=r"u must lie in \[0, 1\)"):
            pick(row, u)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_B24_a_nan_is_refused_and_named(position):
    logits = [0.0, 1.0, 2.0]
    logits[position] = float("nan")
    with pytest.raises(ValueError, match=rf"logits\[{position}\] = nan"):
        dists.softmax(logits)
    row = [0.5, 0.5, 0.0]
    row[position] = float("nan")
    for refuse in (dists.check_probs, dists.greedy, lambda p: dists.top_k(p, 1), NumpyRng(0).categorical):
        with pytest.raises(ValueError, match=rf"p\[{position}\] = nan"):
            refuse(row)
    with pytest.raises(ValueError, match=rf"logits\[1, {position}\] = nan"):
        dists.softmax([[0.0, 1.0, 2.0], logits])


def test_B25_an_infinite_logit_is_refused_and_minus_infinity_is_a_mask():
    with pytest.raises(ValueError, match=r"logits\[0\] = inf"):
        dists.softmax([float("inf"), 1, 2])
    np.testing.assert_allclose(dists.softmax([-float("inf"), 1, 2]), [0, 0.2689, 0.7311], atol=5e-5)
    with pytest.raises(ValueError, match=r"p\[0\] = inf"):
        dists.check_probs([float("inf"), 0])


def test_B26_a_row_with_every_token_masked_is_refused_by_its_index():
    with pytest.raises(ValueError, match=r"logits\[0\]: every token is masked"):
        dists.softmax([[-float("inf")] * 2, [0, 1]])
    with pytest.raises(ValueError, match="logits: every token is masked"):
        dists.softmax([-float("inf")] * 3)
    with pytest.raises(ValueError, match=r"weights\[1\] are zero throughout"):
        dists.normalise([[1, 2], [0, 0]])
    with pytest.raises(ValueError, match="at least one entry"):
        dists.softmax([])


@pytest.mark.parametrize("row", [[0.3, 0.7], [1.0, 0.0], [1 / 3] * 3])
def test_B52_a_residual_of_nothing_is_the_target_row(row):
    assert dists.residual(row, row).tolist() == row


def test_B52_in_a_batch_only_the_equal_rows_fall_back():
    p = np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]])
    q = np.array([[0.2, 0.5, 0.3], [0.5, 0.3, 0.2]])
    assert dists.residual(p, q).tolist() == [[1, 0, 0], [0.5, 0.3, 0.2]]
    assert dists.residual([0.5, 0.5], [0.5, np.nextafter(0.5, 0)]).tolist() == [0, 1]


def test_B72_a_node_sees_its_ancestors_and_itself_and_nothing_else():
    tree = Tree((9, 1, 2, 3, 4), (-1, 0, 0, 1, 2))
    rows = ["".join(map(str, row)) for row in tree.mask.astype(int).tolist()]
    assert rows == ["10000", "11000", "10100", "11010", "10101"]


def test_B73_positions_go_by_depth():
    assert Tree((9, 1, 2, 3, 4), (-1, 0, 0, 1, 2)).positions(10).tolist() == [10, 11, 11, 12, 12]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_B104_half_precision_logits_are_cast_up_once(dtype):
    half = dists.softmax(torch.tensor([1, 2, 3], dtype=dtype))
    assert half.dtype == np.float64
    assert half.tolist() == dists.softmax([1, 2, 3]).tolist()
    assert dists.softmax(torch.tensor([1.0, 2.0, 3.0], requires_grad=True), 0).tolist() == [0, 0, 1]


def test_every_source_draws_only_what_is_possible():
    """The kind behind B17: the enumerating source never enters a branch of no mass."""
    row = [0.0, 0.25, 0.0, 0.75, 0.0]
    assert exact.law(lambda *, rng: rng.categorical(row)) == {1: 0.25, 3: 0.75}
    assert isinstance(EnumeratingRng().categorical([0, 1, 0]), int)
