"""The vectorised torch functions against their definitions in `dists` and `rng`, fed the same uniforms.

Kept sets must be equal, not close: wherever the two are given one row, they keep the same tokens. Masses are
compared to 1e-12. Known faults are tested by number on the torch functions too.
"""

import inspect

import numpy as np
import pytest
import torch
from decodelab import batched, dists
from decodelab.rng import NumpyRng, pick
from hypothesis import assume, given
from hypothesis import strategies as st
from mutate import mutant

LAST_BELOW_ONE = np.nextafter(1.0, 0.0)
EDGES = (0.0, 5e-324, 0.5, LAST_BELOW_ONE)
BATCHES = [(), (3,), (2, 3)]
TYPES = [torch.float32, torch.bfloat16, torch.float16]
DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")),
]
INF = float("inf")
MAPS = {
    "temperature": (0, 0.3, 1, 1.7),
    "top_k": (1, 2, 50),
    "top_p": (0, 0.5, 0.9, 1),
    "min_p": (0, 0.1, 1),
    "locally_typical": (0, 0.5, 0.9, 1),
    "eta": (0, 0.001, 0.3),
}


def rows(*values):
    return torch.tensor(values, dtype=torch.float64)


def support(row):
    return torch.nonzero(row.reshape(-1) > 0).flatten().tolist()


def random_logits(shape, dtype, seed=0):
    """Logits in steps that make ties in half precision, with a third of the tokens masked."""
    generator = torch.Generator().manual_seed(seed)
    logits = 3 * torch.randn(shape, generator=generator)
    masked = torch.rand(shape, generator=generator) < 1 / 3
    masked[..., 0] = False
    return logits.masked_fill(masked, -INF).to(dtype)


def uniforms(shape, seed=0):
    return torch.from_numpy(np.asarray(NumpyRng(seed).uniform(shape)))


def assert_same_map(name, p, level):
    """One map on one tensor of rows: the same kept set as the definition, and the same masses."""
    ours = getattr(batched, name)(p, level)
    theirs = getattr(dists, name)(p, level)
    assert ours.dtype == torch.float64 and ours.shape == p.shape
    np.testing.assert_array_equal(ours.cpu().numpy() > 0, theirs > 0)
    np.testing.assert_allclose(ours.cpu().numpy(), theirs, rtol=1e-12, atol=1e-15)


def picked(p, u):
    """The definition of `draw`, row by row."""
    flat = p.reshape(-1, p.shape[-1]).numpy()
    tokens = [pick(row, x) for row, x in zip(flat, u.reshape(-1).numpy(), strict=True)]
    return np.array(tokens).reshape(p.shape[:-1])


# --- small rows, by hypothesis -----------------------------------------------------------------------

weights = st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 5, 8, 20]), min_size=1, max_size=8).filter(any)
laws = weights.map(lambda w: torch.tensor([x / sum(w) for x in w], dtype=torch.float64))
batches = st.lists(st.lists(st.integers(0, 6), min_size=5, max_size=5).filter(any), min_size=1, max_size=4)
tied_logits = st.lists(st.sampled_from([-INF, -50.0, -1.0, 0.0, 0.0, 2.5, 60.0]), min_size=1, max_size=8)


@given(laws, st.integers(1, 10))
def test_ref_top_k(p, k):
    assert_same_map("top_k", p, k)


@given(laws, st.one_of(st.floats(0, 1.2), st.sampled_from([0.25, 0.5, 0.75, 0.8])))
def test_ref_top_p(p, mass):
    assert_same_map("top_p", p, mass)


@given(laws, st.floats(0, 1))
def test_ref_min_p(p, ratio):
    assert_same_map("min_p", p, ratio)


@given(laws, st.floats(0, 1.2))
def test_ref_locally_typical(p, mass):
    possible = p[p > 0].unique()
    distances = np.sort(np.abs(-np.log(possible.numpy()) - dists.entropy(p)))
    assume(
        (np.diff(distances) > 1e-9).all()
    )  # two probabilities equally far from the entropy: rounding decides
    assert_same_map("locally_typical", p, mass)


@given(laws, st.floats(0, 1))
def test_ref_eta(p, epsilon):
    bound = min(epsilon, np.sqrt(epsilon) * np.exp(-dists.entropy(p)))
    assume((np.abs(p.numpy() - bound) > 1e-12).all())
    assert_same_map("eta", p, epsilon)


@given(laws, st.one_of(st.just(0), st.just(1), st.floats(0.05, 20)))
def test_ref_temperature(p, T):
    assert_same_map("temperature", p, T)


@given(tied_logits.filter(lambda z: max(z) > -INF), st.sampled_from([0, 1e-300, 0.3, 1, 7.5]))
def test_ref_softmax(logits, T):
    ours = batched.softmax(rows(*logits), T).numpy()
    np.testing.assert_allclose(ours, dists.softmax(logits, T), rtol=1e-12, atol=0)
    for value in set(logits):  # equal logits stay equal to the last bit, so that ties stay ties
        assert T == 0 or len({p for p, z in zip(ours.tolist(), logits, strict=True) if z == value}) == 1


@given(laws, st.one_of(st.floats(0, 1, exclude_max=True), st.sampled_from(EDGES)))
def test_ref_draw(p, u):
    token = batched.draw(p, torch.tensor(u, dtype=torch.float64))
    assert token.item() == pick(p, u)
    assert p[token] > 0


@given(tied_logits.filter(lambda z: max(z) > -INF), st.data())
def test_ref_gumbel_max(logits, data):
    u = data.draw(
        st.lists(st.sampled_from([*EDGES, 1.0, 0.1, 0.9]), min_size=len(logits), max_size=len(logits))
    )
    clipped = np.clip(u, np.finfo(float).tiny, 1 - np.finfo(float).eps)
    token = batched.gumbel_max(rows(*logits), rows(*u)).item()
    assert token == np.argmax(np.array(logits) - np.log(-np.log(clipped)))
    assert logits[token] > -INF


@pytest.mark.parametrize("name", MAPS)
@given(batches)
def test_prop_a_batch_is_its_rows(name, ws):
    p = torch.tensor([[x / sum(w) for x in w] for w in ws], dtype=torch.float64)
    for level in MAPS[name]:
        warp = getattr(batched, name)
        stacked = torch.stack([warp(row, level) for row in p])
        assert torch.equal(warp(p, level) > 0, stacked > 0)
        torch.testing.assert_close(warp(p[:, None], level)[:, 0], stacked, rtol=1e-15, atol=0)


# --- large rows, every type, shape and device --------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_ref_from_logits_to_the_token(dtype, batch, device):
    logits = random_logits((*batch, 1000), dtype).to(device)
    p = batched.softmax(batched.check_logits(logits), 0.7)
    np.testing.assert_allclose(p.cpu(), dists.softmax(logits, 0.7), rtol=1e-12)
    for name, levels in MAPS.items():
        for level in levels:
            assert_same_map(name, p, level)
    for seed in range(5):
        u = uniforms(batch, seed)
        kept = batched.top_p(p, 0.9).cpu()
        assert (batched.draw(kept.to(device), u.to(device)).cpu().numpy() == picked(kept, u)).all()


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("vocab_size", [32_000, 131_072])
def test_ref_a_large_vocabulary_keeps_the_same_tokens_from_logits_on(vocab_size, dtype):
    """Here the two do not even share a row: each turns the same logits into its own probabilities."""
    logits = random_logits((2, vocab_size), dtype)
    ours, theirs = batched.softmax(logits), dists.softmax(logits)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert len(ours[0].unique()) == len(logits[0].unique())  # ties stay ties, and no new ones are made
    for name, level in (
        ("top_k", 50),
        ("top_p", 0.9),
        ("min_p", 0.02),
        ("locally_typical", 0.9),
        ("eta", 1e-3),
    ):
        kept = getattr(batched, name)(ours, level)
        assert ((kept.numpy() > 0) == (getattr(dists, name)(theirs, level) > 0)).all(), name
        u = torch.stack([uniforms((), seed) for seed in range(2)])
        assert (batched.draw(kept, u).numpy() == picked(kept, u)).all()


def test_ref_draw_reaches_every_token_of_a_large_vocabulary():
    p = torch.from_numpy(np.random.default_rng(0).dirichlet(np.full(131_072, 0.1)).astype(np.float32))
    below = np.cumsum(p.double().numpy()) / p.double().sum().item()
    tokens = np.random.default_rng(1).choice(np.flatnonzero(np.diff(below) > 1e-11), 40) + 1
    u = torch.from_numpy((below[tokens - 1] + below[tokens]) / 2)
    assert batched.draw(p.expand(40, -1), u).tolist() == tokens.tolist()


def test_law_gumbel_max_on_a_midpoint_grid():
    """Every cell of a grid of noise, not a sample of it: the law of p = (.5, .3, .2) to 1e-3."""
    n = 80
    middle = (torch.arange(n, dtype=torch.float64) + 0.5) / n
    u = torch.cartesian_prod(middle, middle, middle)
    logits = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64).log().expand_as(u)
    law = torch.bincount(batched.gumbel_max(logits, u), minlength=3) / len(u)
    np.testing.assert_allclose(law, [0.5, 0.3, 0.2], atol=1e-3)
    wrong = torch.bincount(mutant(batched.gumbel_max, "rows - (", "rows + (")(logits, u), minlength=3) / len(
        u
    )
    assert (law - wrong).abs().max() > 1e-2


def test_law_draw_has_the_row_as_its_law():
    """A uniform on the middles of 1,000 equal cells: token i gets exactly p[i] of them."""
    p = rows(0.5, 0.0, 0.3, 0.2, 0.0)
    u = (torch.arange(1000, dtype=torch.float64) + 0.5) / 1000
    counts = torch.bincount(batched.draw(p.expand(1000, -1), u), minlength=5)
    assert counts.tolist() == [500, 0, 300, 200, 0]


# --- known faults, by number -------------------------------------------------------------------------


def test_B01_B02_nucleus_keeps_the_crossing_token_and_stops_when_the_mass_is_met():
    torch.testing.assert_close(batched.top_p(rows(0.5, 0.3, 0.15, 0.05), 0.6), rows(0.625, 0.375, 0, 0))
    assert support(batched.top_p(rows(0.5, 0.25, 0.125, 0.125), 0.75)) == [0, 1]
    assert support(batched.top_p(rows(0.3, 0.1, 0.1, 0.5), 0.8)) == [0, 3]
    assert support(batched.locally_typical(rows(*[0.25] * 4), 0.5)) == [0, 1]


def test_B04_a_mass_of_one_is_the_identity_and_sums_are_float64():
    wide = torch.full((128_256,), 1 / 128_256, dtype=torch.float32)
    for warp in (batched.top_p, batched.locally_typical):
        assert torch.equal(warp(wide, 1.0), wide.double())
        assert torch.equal(warp(wide, 1.5), wide.double())
    long_tail = torch.cat([rows(0.9), torch.full((100_000,), 1e-6, dtype=torch.float64)])
    assert len(support(batched.top_p(long_tail, 0.95))) == 50_001
    assert len(support(batched.top_p(long_tail.expand(2, -1), 0.95)[1])) == 50_001


@pytest.mark.parametrize("dtype", [torch.float64, *TYPES], ids=str)
def test_B09_top_k_keeps_exactly_k_on_ties_in_one_row_and_in_many(dtype):
    one = torch.tensor([1, 2, 2, 2, 3], dtype=dtype)
    kept = batched.top_k(batched.softmax(one), 3)
    assert support(kept) == [1, 2, 4]
    for many in (one.expand(8, -1), one.expand(64, 2, -1)):
        assert (batched.top_k(batched.softmax(many), 3) == kept).all()
    assert support(batched.top_p(batched.softmax(one), 0.6)) == support(
        torch.from_numpy(dists.top_p(dists.softmax(one), 0.6))
    )


@pytest.mark.parametrize("count", [17, 4096, 131_072])
def test_B09_ties_go_to_the_lowest_id_however_long_the_row(count):
    p = torch.full((2, count), 1 / count, dtype=torch.float64)
    assert support(batched.top_k(p, 5)[1]) == [0, 1, 2, 3, 4]
    for warp in (batched.top_p, batched.locally_typical):
        assert support(warp(p, 3.5 / count)[1]) == [0, 1, 2, 3]


def test_B10_top_1_is_greedy_when_the_maximum_is_tied():
    p = batched.softmax(rows(5, 7, 7, 1))
    assert batched.top_k(p, 1).tolist() == [0, 1, 0, 0]
    assert batched.draw(batched.top_k(p, 1).expand(4, -1), rows(*EDGES)).tolist() == [1] * 4
    half = torch.tensor([21.375, 21.375], dtype=torch.bfloat16)
    assert batched.softmax(half, 0).tolist() == batched.top_k(batched.softmax(half), 1).tolist() == [1, 0]


@pytest.mark.parametrize("T", [1e-38, 1e-300, 5e-324])
def test_B12_a_tiny_temperature_does_not_overflow(T):
    assert batched.softmax(torch.tensor([100.0, 99.0]), T).tolist() == [1, 0]
    assert batched.softmax(rows(-1000, -1e308, -INF), T).tolist() == [1, 0, 0]
    assert batched.temperature(rows(0.6, 0.4, 0.0), T).tolist() == [1, 0, 0]


def test_B13_temperature_and_truncation_in_both_orders():
    p = batched.softmax(rows(3, 2, 1))
    assert support(batched.top_p(batched.temperature(p, 0.5), 0.8)) == [0]
    truncated = batched.temperature(batched.top_p(p, 0.8), 0.5)
    np.testing.assert_allclose(truncated, [0.8808, 0.1192, 0], atol=5e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "row", [[0, 1], [1, 0], [0, 0.5, 0, 0.5, 0], [0.1] * 10 + [0], [0.1] * 9 + [0.05, 0]]
)
def test_B17_no_uniform_draws_a_token_of_probability_zero(row, dtype):
    p = torch.tensor(row, dtype=dtype).expand(6, -1)
    edges = torch.tensor([*EDGES, 1.0, float("nan")], dtype=torch.float64)
    assert (p.gather(-1, batched.draw(p, edges)[:, None]) > 0).all()


def test_B17_running_sums_that_are_not_sorted_draw_nothing_impossible(monkeypatch):
    """A GPU adds in a tree, and a later sum can come out below an earlier one."""
    p = batched.softmax(random_logits((64, 257), torch.float32))
    u = torch.cat([torch.linspace(0, 1, 63, dtype=torch.float64), rows(LAST_BELOW_ONE)])
    plain = torch.Tensor.cumsum
    noise = 0.05 * (uniforms((257,)) - 0.5)
    monkeypatch.setattr(torch.Tensor, "cumsum", lambda x, dim: plain(x, dim) + noise)
    assert (p.gather(-1, batched.draw(p, u)[:, None]) > 0).all()
    careless = mutant(batched.draw, "possible & ", "")
    assert (p.gather(-1, careless(p, u)[:, None]) == 0).any()


def test_B19_gumbel_noise_is_finite_and_a_masked_token_is_never_drawn():
    assert batched.gumbel_max(rows(-INF, 0), rows(1.0, 0.5)).item() == 1
    for dtype in (torch.float32, torch.float64):
        u = torch.tensor([[1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0]], dtype=dtype)
        logits = torch.tensor([-INF, -1e30, 0, -INF], dtype=dtype).expand(3, -1)
        assert batched.gumbel_max(logits, u).tolist() == [2, 2, 2]


@pytest.mark.parametrize("position", [0, 1, 2])
def test_B24_a_nan_is_refused_and_named(position):
    logits = torch.tensor([[0.0, 1.0, 2.0]] * 2, dtype=torch.bfloat16)
    logits[1, position] = float("nan")
    with pytest.raises(ValueError, match=rf"logits\[1, {position}\] = nan is not a logit"):
        batched.check_logits(logits)
    p = rows(0.5, 0.5, 0.0)
    p[position] = float("nan")
    with pytest.raises(ValueError, match=rf"p\[{position}\] = nan is not a probability"):
        batched.check_probs(p)


def test_B25_an_infinite_logit_is_refused_and_minus_infinity_is_a_mask():
    with pytest.raises(ValueError, match=r"logits\[0\] = inf"):
        batched.check_logits(rows(INF, 1, 2))
    np.testing.assert_allclose(
        batched.softmax(batched.check_logits(rows(-INF, 1, 2))), [0, 0.2689, 0.7311], atol=5e-5
    )


def test_B26_a_row_with_every_token_masked_is_refused_by_its_index():
    with pytest.raises(ValueError, match=r"logits\[0\]: every token is masked"):
        batched.check_logits(rows([-INF, -INF], [0, 1]))
    with pytest.raises(ValueError, match="logits: every token is masked"):
        batched.check_logits(rows(-INF, -INF, -INF))
    with pytest.raises(ValueError, match="at least one entry"):
        batched.check_logits(torch.empty(2, 0))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_B104_half_precision_logits_are_cast_up_once(dtype):
    half = torch.tensor([1, 2, 3], dtype=dtype)
    assert batched.softmax(half).tolist() == batched.softmax(half.double()).tolist()
    u = uniforms((3,))
    assert batched.gumbel_max(half, u) == batched.gumbel_max(half.double(), u)
    assert batched.softmax(torch.tensor([1.0, 2.0], requires_grad=True), 0).tolist() == [0, 1]


# --- what is refused, and what is promised -----------------------------------------------------------

BAD = {
    "softmax": (-1, float("nan"), INF),
    "temperature": (-1, float("nan"), INF),
    "top_k": (0, -1, 2.5, True, None),
    "top_p": (-0.1, float("nan")),
    "min_p": (-0.1, 1.1, float("nan")),
    "locally_typical": (-0.1, float("nan")),
    "eta": (-0.1, 1.1, float("nan")),
}


@pytest.mark.parametrize(("name", "level"), [(name, level) for name in BAD for level in BAD[name]])
def test_bad_numbers_are_refused_in_the_words_of_the_definition(name, level):
    row = [0.0] if name == "softmax" else [1.0]
    with pytest.raises(ValueError) as ours:
        getattr(batched, name)(rows(*row), level)
    with pytest.raises(ValueError) as theirs:
        getattr(dists, name)(row, level)
    assert str(ours.value) == str(theirs.value)


def test_rows_and_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"q\[1\] sums to 0.9, not to 1"):
        batched.check_probs(rows([0.5, 0.5], [0.4, 0.5]), "q")
    with pytest.raises(ValueError, match=r"p\[1\] = -0.5 is not a probability"):
        batched.check_probs(rows(1.5, -0.5))
    with pytest.raises(ValueError, match=r"u must have shape \(2,\), one for each row, got \(1,\)"):
        batched.draw(rows([0.5, 0.5], [1, 0]), rows(0.5))
    with pytest.raises(ValueError, match=r"u must have the shape of logits, \(2,\), got \(1,\)"):
        batched.gumbel_max(rows(0, 0), rows(0.5))
    assert batched.check_probs(rows(0.5, 0.5)).tolist() == [0.5, 0.5]


def test_nothing_writes_into_its_argument_or_hands_it_out():
    for name, levels in MAPS.items():
        for level in levels:
            p = rows(0.5, 0.3, 0.2)
            getattr(batched, name)(p, level).zero_()
            assert p.tolist() == [0.5, 0.3, 0.2], name


def test_a_device_without_float64_works_in_float32(monkeypatch):
    """What MPS does, tried on the CPU: coarser sums, but the same rules at every edge."""
    assert batched.working_dtype(torch.device("cpu")) == torch.float64
    monkeypatch.setattr(batched, "working_dtype", lambda device: torch.float32)
    p = batched.softmax(random_logits((64, 1000), torch.bfloat16), 1e-3)
    assert p.dtype == torch.float32 and p.isfinite().all()
    assert batched.softmax(torch.tensor([100.0, 99.0]), 1e-300).tolist() == [1, 0]
    p = batched.softmax(random_logits((64, 1000), torch.bfloat16))
    for u in EDGES:  # the largest double below 1 rounds to 1 in float32
        tokens = batched.draw(p, torch.full((64,), u, dtype=torch.float64))
        assert (p.gather(-1, tokens[:, None]) > 0).all()
    assert support(batched.top_k(batched.softmax(rows(1, 2, 2, 2, 3)), 3)) == [1, 2, 4]
    assert batched.gumbel_max(rows(-INF, 0), rows(1.0, 0.5)).item() == 1


def test_a_mutant_of_each_decision_is_seen():
    """One line broken at a time; each differs from the definition on a row of this file."""
    tied = rows(0.2, 0.3, 0.3, 0.2)
    for name, old, new, p, level in [
        ("top_k", "<= wanted", "<= wanted + 1", tied, 1),
        ("top_p", "descending=True, ", "", tied, 0.2),
        ("min_p", "rows >= ratio", "rows > ratio", rows(0.4, 0.4, 0.2), 0.5),
        ("eta", " | (rows == rows.amax(dim=-1, keepdim=True))", "", rows(*[0.125] * 8), 1),
        ("locally_typical", ").abs()", ")", rows(0.6, 0.3, 0.1), 0.2),
        ("_keep_mass", "before < mass", "before <= mass", rows(0.5, 0.25, 0.25), 0.5),
    ]:
        wrong = mutant(getattr(batched, name), old, new)
        if name == "_keep_mass":
            assert support(wrong(p, torch.arange(3), level)) != support(batched.top_p(p, level))
        else:
            assert support(wrong(p, level)) != support(getattr(batched, name)(p, level)), name
    broken = mutant(batched.draw, "total <= u", "total < u")
    assert broken(rows(0.5, 0.5), rows(0.5)[0]) != batched.draw(rows(0.5, 0.5), rows(0.5)[0])


def test_docstrings_state_the_law():
    for name in ("softmax", "draw", "gumbel_max", *MAPS):
        text = inspect.getdoc(getattr(batched, name))
        assert "**Law:** exact" in text and "Errors:" in text, name
