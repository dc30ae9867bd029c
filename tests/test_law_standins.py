"""Torch's random functions stood in for: exact laws, what is refused, and that nothing is left behind."""

import threading
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
import torch
from decodelab import exact
from decodelab.exact.standins import LazyTensor, seeded, standing_in
from decodelab.lazy import LazyUniform, NotEnumerable
from decodelab.rng import NumpyRng, ScriptedRng
from decodelab.sampling import linear_scan

ROW = (0.5, 0.25, 0.125, 0.125)
CUTS = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)


def law(f):
    def procedure(*, rng):
        with standing_in(rng):
            return f()

    return exact.law(procedure)


# --- comparing uniforms --------------------------------------------------------------------------------

COMPARED = {
    "u < p": lambda u: u < CUTS,
    "u <= p": lambda u: u <= CUTS,
    "p > u": lambda u: CUTS > u,
    "p >= u": lambda u: CUTS >= u,
    "not u > p": lambda u: ~(u > CUTS),
    "not u >= p": lambda u: ~(u >= CUTS),
    "lt": lambda u: torch.lt(u, CUTS),
    "gt, p first": lambda u: torch.gt(CUTS, u),
    "le method": lambda u: u.le(CUTS),
    "less": lambda u: torch.less(u, CUTS),
    "u * q < p": lambda u: u * 2 < CUTS * 2,
    "q * u < p": lambda u: torch.tensor([2.0, 4.0, 8.0]) * u < CUTS * torch.tensor([2.0, 4.0, 8.0]),
    "u - p < 0": lambda u: u - CUTS < 0,
    "p - u > 0": lambda u: CUTS - u > 0,
    "1 - u > 1 - p": lambda u: 1 - u > 1 - CUTS,
    "-u > -p": lambda u: -u > -CUTS,
    "u / 2 < p / 2": lambda u: u / 2 < CUTS / 2,
    "u + 1 < p + 1": lambda u: 1 + u < 1 + CUTS,
    "unsqueezed": lambda u: (u.unsqueeze(0) < CUTS[None]).squeeze(0),
    "reshaped": lambda u: u.reshape(3, 1).T[0] < CUTS,
    "cast": lambda u: u.double().float().to(torch.float64) < CUTS,
    "cloned": lambda u: u.clone().detach().cpu().contiguous().view(-1) < CUTS,
    "one by one": lambda u: torch.stack([u[i] < CUTS[i] for i in range(3)]),
    "items": lambda u: torch.tensor([u[i].item() < CUTS[i] for i in range(3)]),
    "items, p first": lambda u: torch.tensor([CUTS[i] > u[i].item() for i in range(3)]),
    "items of floats": lambda u: torch.tensor(
        [x < c for x, c in zip(u.tolist(), CUTS.tolist(), strict=True)]
    ),
    "iterated": lambda u: torch.tensor([bool(x < c) for x, c in zip(u, CUTS, strict=True)]),
    "flipped": lambda u: (u.flip(0) < CUTS.flip(0)).flip(0),
    "gathered": lambda u: u.gather(0, torch.arange(3)) < CUTS,
}
SOURCES = {
    "rand": lambda: torch.rand(3),
    "rand of a shape": lambda: torch.rand((3,), dtype=torch.float64),
    "rand_like": lambda: torch.rand_like(CUTS),
    "uniform_": lambda: torch.empty(3).uniform_(),
    "uniform_ in place": lambda: in_place(),
    "uniform_ of an interval": lambda: (torch.empty(3).uniform_(-1, 3) + 1) / 4,
    "Uniform": lambda: torch.distributions.Uniform(0.0, 1.0).sample((3,)),
}


def in_place():
    u = torch.zeros(3, dtype=torch.float64)
    u.uniform_()
    return u


def independent(chances):
    masses = {}
    for answers in np.ndindex(*(2,) * len(chances)):
        terms = [c if a else 1 - c for a, c in zip(answers, chances, strict=True)]
        masses[tuple(map(bool, answers))] = float(np.prod(terms))
    return masses


@pytest.mark.parametrize("how", COMPARED)
def test_law_of_a_comparison_is_its_number(how):
    masses = law(lambda: COMPARED[how](torch.rand(3, dtype=torch.float64)))
    assert exact.law_tv(masses, independent(CUTS.tolist())) == 0


def test_law_of_a_tensor_over_zero_is_that_of_infinity():
    ratio = torch.tensor([0.0, 0.5, 0.0], dtype=torch.float64)
    assert law(lambda: torch.rand(3) / ratio < 1) == {(False, True, False): 0.5, (False, False, False): 0.5}
    assert law(lambda: torch.rand(1) / 0 >= 1) == {(True,): 1}
    assert law(lambda: (torch.rand(1) / ratio[:1]).item() <= 1) == {False: 1}


@pytest.mark.parametrize("source", SOURCES)
def test_law_of_every_source_of_uniforms(source):
    masses = law(lambda: SOURCES[source]() < CUTS)
    assert exact.law_tv(masses, independent(CUTS.tolist())) == 0


def test_law_of_one_uniform_against_many_numbers_narrows_it():
    masses = law(lambda: (torch.rand(1) < CUTS).sum())
    assert masses == {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}
    assert law(lambda: (torch.rand(2, 1).expand(2, 3) < CUTS).sum(dim=1)) == {
        (a, b): 1 / 16 for a in range(4) for b in range(4)
    }


@pytest.mark.parametrize("options", [{"right": True}, {"side": "right"}, {}])
def test_law_of_an_inverse_cdf(options):
    below = torch.tensor(ROW, dtype=torch.float64).cumsum(0)
    assert law(lambda: torch.searchsorted(below, torch.rand(1), **options).item()) == dict(enumerate(ROW))
    two = torch.stack([below, below])
    masses = law(lambda: torch.searchsorted(two, torch.rand(2, 1), **options).squeeze(1))
    assert masses == {(a, b): ROW[a] * ROW[b] for a in range(4) for b in range(4)}


def test_law_stays_with_the_numbers_of_the_tensor():
    """float32 bounds are the numbers that float32 holds; a Python number is itself."""
    third = torch.tensor([1 / 3])
    assert law(lambda: (torch.rand(1) < third).item()) == {True: third.item(), False: 1 - third.item()}


def test_prop_lazy_tensors_answer_what_code_asks_of_a_tensor():
    def facts():
        u = torch.rand(2, 3, dtype=torch.float64)
        assert isinstance(u, LazyTensor) and "LazyUniform" in repr(u)
        assert (u.shape, u.dim(), u.numel(), len(u), u.ndim) == (torch.Size([2, 3]), 2, 6, 2, 2)
        assert u.dtype == torch.float64 and u.float().dtype == torch.float32 and u.device.type == "cpu"
        assert torch.zeros_like(u).tolist() == [[0.0] * 3] * 2 and u.T.shape == (3, 2)
        assert (u * torch.ones(3, dtype=torch.float32)).dtype == torch.float64
        assert isinstance(u[0, 0].item(), LazyUniform)
        return int(u[1, 2] * 4)

    assert law(facts) == {k: 0.25 for k in range(4)}


# --- coins and indices ---------------------------------------------------------------------------------


def test_law_of_coins():
    chances = torch.tensor([0.25, 0.5, 1.0, 0.0])
    expected = independent(chances.tolist())
    for draw in (
        lambda: torch.bernoulli(chances),
        lambda: chances.bernoulli(),
        lambda: torch.zeros(4).bernoulli_(chances),
        lambda: torch.distributions.Bernoulli(chances).sample(),
    ):
        assert exact.law_tv(law(lambda draw=draw: draw().bool()), expected) == 0
    assert law(lambda: torch.empty(1).bernoulli_(0.25).item()) == {1.0: 0.25, 0.0: 0.75}
    assert law(lambda: torch.bernoulli(chances[:1], 0.75).item()) == {1.0: 0.75, 0.0: 0.25}


def test_law_of_indices():
    weights = torch.tensor(ROW, dtype=torch.float64) * 8  # torch normalises
    for draw in (
        lambda: torch.multinomial(weights, 1).item(),
        lambda: weights.multinomial(num_samples=1)[0],
        lambda: torch.multinomial(weights.float(), 1),
        lambda: torch.distributions.Categorical(probs=weights).sample(),
        lambda: torch.distributions.Categorical(logits=weights.log()).sample(),
    ):
        masses = {index[0] if isinstance(index, tuple) else index: m for index, m in law(draw).items()}
        assert exact.law_tv(masses, dict(enumerate(ROW))) < 1e-7


def test_law_of_several_indices():
    row = torch.tensor(ROW[:3], dtype=torch.float64) / 0.875
    again = law(lambda: torch.multinomial(row, 2, replacement=True))
    assert (
        exact.law_tv(again, {(a, b): row[a].item() * row[b].item() for a in range(3) for b in range(3)})
        < 1e-15
    )
    without = law(lambda: torch.multinomial(row, 2))
    expected = {(a, b): (row[a] * row[b] / (1 - row[a])).item() for a, b in permutations(range(3), 2)}
    assert exact.law_tv(without, expected) < 1e-15
    batch = law(lambda: torch.multinomial(torch.stack([row, row.flip(0)]), 1))
    assert batch[((0,), (0,))] == pytest.approx(row[0].item() * row[2].item())


@pytest.mark.parametrize(
    "weights", [[0.0, 0.0], [float("nan"), 1.0], [-1.0, 2.0], [float("inf"), 1.0]], ids=str
)
def test_ref_bad_weights_raise_what_torch_raises(weights):
    weights = torch.tensor(weights)
    with pytest.raises(RuntimeError) as real:
        torch.multinomial(weights, 1)
    with pytest.raises(RuntimeError) as ours, standing_in(ScriptedRng([0.5])):
        torch.multinomial(weights, 1)
    assert str(ours.value) == str(real.value)


# --- numbers in place of branches ----------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_law_scripted_uniforms_stay_below_one_in_every_dtype(dtype):
    with standing_in(ScriptedRng([0.0, float(np.nextafter(1.0, 0.0)), 0.25])):
        u = torch.rand(3, dtype=dtype)
    assert type(u) is torch.Tensor and u.dtype == dtype
    assert u[0] == 0 and u[1] < 1 and u[2] == 0.25
    assert torch.nextafter(u[1], torch.ones((), dtype=dtype)) == 1


def test_law_scripted_draws_answer_indices_and_coins():
    with standing_in(ScriptedRng([0.6, True, 0.5, 1])):
        drawn = torch.multinomial(torch.tensor(ROW), 1), torch.bernoulli(torch.tensor(0.5))
        filled = torch.empty(1).uniform_(2, 4), torch.distributions.Categorical(torch.tensor(ROW)).sample()
    assert [x.item() for x in (*drawn, *filled)] == [linear_scan(ROW, 0.6), 1.0, 3.0, 1]


# --- what is refused -----------------------------------------------------------------------------------

REFUSED = {
    "exponential_": lambda: torch.ones(3).exponential_(),
    "randn": lambda: torch.randn(3),
    "normal_": lambda: torch.ones(3).normal_(),
    "randint": lambda: torch.randint(3, (1,)),
    "randperm": lambda: torch.randperm(3),
    "gumbel_softmax": lambda: torch.nn.functional.gumbel_softmax(torch.ones(3)),
    "Exponential": lambda: torch.distributions.Exponential(1.0).sample(),
    "a generator": lambda: torch.rand(3, generator=torch.Generator()),
    "multinomial with a generator": lambda: torch.multinomial(torch.ones(3), 1, generator=torch.Generator()),
    "out": lambda: torch.rand(3, out=torch.empty(3)),
    "dropout": lambda: torch.nn.functional.dropout(torch.ones(3)),
    "a seed": lambda: torch.manual_seed(0),
    "the generator's own method": lambda: torch.default_generator.manual_seed(1),
    "log": lambda: torch.rand(3).log(),
    "argmax": lambda: torch.rand(3).argmax(),
    "sort": lambda: torch.rand(3).sort(),
    "a product": lambda: torch.mul(torch.rand(3), torch.rand(3)) < 1,
    "float()": lambda: float(torch.rand(1)),
    "bool()": lambda: bool(torch.rand(1)),
    "in place": lambda: torch.rand(3).mul_(2),
    "part of a tensor": lambda: torch.empty(3)[:2].uniform_(),
    "compared with each other": lambda: torch.lt(torch.rand(1), torch.rand(1)),
    "where": lambda: torch.where(torch.tensor([True]), torch.rand(1), torch.ones(1)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_law_refuses_what_has_no_branches(name):
    with pytest.raises(NotEnumerable):
        law(REFUSED[name])


def test_law_refuses_operators_with_the_words_of_python():
    """torch turns a TypeError of an operator into Python's own; the audit knows it by the name in it."""
    for misuse in (lambda u: u * u, lambda u: u < torch.rand(3), lambda u: u**2, lambda u: 1 / u):
        with pytest.raises(TypeError, match="LazyTensor"):
            law(lambda misuse=misuse: misuse(torch.rand(3)))


def test_law_names_what_it_refuses():
    for name, message in [
        ("exponential_", "torch's exponential_ has no stand-in"),
        ("a generator", "torch's rand with the argument generator has no stand-in"),
        ("dropout", "without a stand-in"),
        ("a seed", "torch's own generator was seeded"),
        ("log", "torch's log was applied to a uniform"),
    ]:
        with pytest.raises(NotEnumerable, match=message):
            law(REFUSED[name])


# --- nothing is left behind ----------------------------------------------------------------------------


def test_prop_stand_ins_end_with_the_block_and_with_an_error():
    state = torch.get_rng_state()
    functions = torch.rand, torch.Tensor.uniform_, torch.multinomial
    law(lambda: (torch.rand(1) < 0.5).item())
    with pytest.raises(ZeroDivisionError):
        law(lambda: 1 / 0)
    with pytest.raises(NotEnumerable):
        law(lambda: torch.randn(1))
    with seeded(NumpyRng(1)):
        torch.rand(5)
    assert (torch.rand, torch.Tensor.uniform_, torch.multinomial) == functions
    assert torch.equal(torch.get_rng_state(), state)
    assert type(torch.rand(2)) is torch.Tensor
    torch.set_rng_state(state)


def test_prop_stand_ins_are_not_seen_by_another_thread():
    drawn = []
    other = threading.Thread(target=lambda: drawn.append(torch.rand(2, generator=torch.Generator())))
    with standing_in(ScriptedRng([0.5, 0.5])):
        other.start()
        other.join()
        mine = torch.rand(2)
    assert mine.tolist() == [0.5, 0.5] and len(drawn) == 1  # here a generator would have been refused


def test_prop_seeded_runs_repeat_with_their_source():
    def draw(seed):
        with seeded(NumpyRng(seed)):
            return torch.rand(4).tolist()

    assert draw(1) == draw(1) != draw(2)


def test_law_of_fractions_is_not_pretended():
    """A float tensor gives a float law, also where the rows of the audit are Fractions."""
    masses = law(lambda: (torch.rand(1) < torch.tensor([0.5])).item())
    assert not any(isinstance(mass, Fraction) for mass in masses.values())
