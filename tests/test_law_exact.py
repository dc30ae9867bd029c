"""The instrument itself: `law` and `sentence_law` against laws known by other means."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from decodelab import dists, exact
from decodelab.lazy import NotEnumerable
from decodelab.models import TableLM, Warped, as_floats, log_prob, random_lm
from decodelab.rng import NumpyRng, TooManyTraces
from decodelab.sampling import ancestral
from decodelab.speculative import write
from decodelab.tree import Step
from mutate import mutant

P = (0.5, 0.3, 0.2)
FRACTIONS = np.array([Fraction(5, 10), Fraction(3, 10), Fraction(2, 10)], dtype=object)


def models(count=12, vocab_size=3, depth=3):
    rng = NumpyRng(7)
    return [random_lm(vocab_size, depth, rng=rng) for _ in range(count)]


def product_law(lm, length, end=0):
    """Sentences by brute force: multiply conditionals over every token sequence; no Rng involved."""
    masses = {}
    for tokens in product(range(lm.vocab_size), repeat=length):
        if end in tokens:
            tokens = tokens[: tokens.index(end) + 1]
        masses[tokens] = math.prod(
            (lm.next_probs(tokens[:t])[x] for t, x in enumerate(tokens)), start=Fraction(1)
        )
    return {tokens: mass for tokens, mass in masses.items() if mass}


# --- run ----------------------------------------------------------------------------------------------


def test_law_of_one_draw_is_the_row():
    assert exact.law(lambda *, rng: rng.categorical(FRACTIONS)) == dict(enumerate(FRACTIONS))


def test_law_of_the_larger_of_two_draws():
    masses = exact.law(lambda *, rng: max(rng.categorical(FRACTIONS), rng.categorical(FRACTIONS)))
    below = np.cumsum(FRACTIONS)
    assert masses == {0: below[0] ** 2, 1: below[1] ** 2 - below[0] ** 2, 2: 1 - below[1] ** 2}


def test_law_counts_traces_not_outcomes():
    coins = [lambda *, rng, n=n: sum(rng.bernoulli(0.5) for _ in range(n)) for n in (3, 14, 15)]
    assert exact.law(coins[0]) == {3: 0.125, 2: 0.375, 1: 0.375, 0: 0.125}
    assert sum(exact.law(coins[1]).values()) == 1
    with pytest.raises(TooManyTraces, match="max_traces = 20000"):
        exact.law(coins[2])
    assert len(exact.law(coins[2], max_traces=2**15)) == 16


def test_law_cuts_branches_of_no_mass():
    visited = []

    def procedure(*, rng):
        visited.append(rng.categorical([0.0, 1.0, 0.0]) + rng.bernoulli(0) + rng.bernoulli(1))
        return visited[-1]

    assert exact.law(procedure) == {2: 1}
    assert set(visited) == {2}


def test_law_refuses_a_second_source_of_randomness():
    hidden = np.random.default_rng(0)
    with pytest.raises(ValueError, match="another source"):
        exact.law(lambda *, rng: rng.bernoulli(hidden.random()) and rng.bernoulli(hidden.random()))


def test_law_refuses_an_answer_from_a_second_source():
    hidden = np.random.default_rng(0)
    with pytest.raises(ValueError, match="the same draws gave .*another source"):
        exact.law(lambda *, rng: (rng.bernoulli(0.5), hidden.random() < 0.5))


def test_law_refuses_state_kept_between_runs():
    kept = []

    def procedure(*, rng):
        kept.append(rng.bernoulli(0.5) if len(kept) < 1 else rng.categorical(P))
        return kept[-1]

    with pytest.raises(ValueError, match="another source"):
        exact.law(procedure)


def test_law_merges_equal_answers_of_different_types():
    answers = [(1, 2), [1, 2], np.array([1, 2])]
    rows = exact.law(lambda *, rng: answers[rng.categorical(P)])
    assert rows == {(1, 2): pytest.approx(1)}


# --- lazy uniforms --------------------------------------------------------------------------------------


def inverse_cdf(p, *, rng):
    u = rng.uniform()
    total = 0
    for index, mass in enumerate(p):
        total += mass
        if u < total:
            return index
    return len(p) - 1


def test_law_of_code_that_compares_a_uniform():
    for model in models():
        for prefix in [(), (1,), (2, 1)]:
            row = model.next_probs(prefix)
            masses = exact.law(lambda *, rng, row=row: inverse_cdf(row, rng=rng))
            assert masses == {i: mass for i, mass in enumerate(row) if mass}


def counting_down(p, u):
    for index, mass in enumerate(p):
        if mass > u:
            return index
        u -= mass


@pytest.mark.parametrize(
    "draw",
    [
        lambda p, u: int(np.searchsorted(np.cumsum(p), u, side="right")),
        lambda p, u: int((np.cumsum(p) < u).sum()),
        lambda p, u: int((u > np.cumsum(p)).sum()),
        lambda p, u: next(i for i, c in enumerate(np.cumsum(p)) if 1 - u > 1 - c),
        lambda p, u: next(i for i, c in enumerate(np.cumsum(p)) if 2 * u + 1 <= 2 * c + 1),
        lambda p, u: next(i for i, c in enumerate(np.cumsum(p)) if not u / 2 >= c / 2),
        lambda p, u: next(i for i, c in enumerate(np.cumsum(p)) if c > u),
        lambda p, u: counting_down(np.array(p), u),
    ],
    ids=[
        "searchsorted",
        "array<u",
        "u>array",
        "1-u",
        "affine",
        "divided",
        "scalar on the left",
        "u counts down",
    ],
)
def test_law_is_the_row_however_the_uniform_is_compared(draw):
    masses = exact.law(lambda *, rng: draw(P, rng.uniform()))
    np.testing.assert_allclose(exact.as_row(masses, 3), P, rtol=0, atol=1e-15)


def test_law_of_a_uniform_cut_to_eight_bits():
    def coarse(*, rng):
        return inverse_cdf_of(math.floor(rng.uniform() * 256) / 256)

    def inverse_cdf_of(u):
        return int(np.searchsorted(np.cumsum(P), u, side="right"))

    assert exact.law(coarse) == {0: 128 / 256, 1: 77 / 256, 2: 51 / 256}


def accept(p, q, x, u):
    return u * q[x] < p[x]


def test_law_sees_one_uniform_used_for_two_decisions():
    """Accept-or-resample is exact; with the same u in both places it is not."""
    p, q = np.array(P), np.array([0.2, 0.5, 0.3])

    def rule(*, rng, fresh):
        x, u = rng.categorical(q), rng.uniform()
        if accept(p, q, x, u):
            return x
        u = rng.uniform() if fresh else u
        return int(np.searchsorted(np.cumsum(dists.residual(p, q)), u, side="right"))

    # one uniform is enough for the running pair (its residual is one-hot), so take a pair where it is not
    p, q = np.array([0.4, 0.35, 0.05, 0.2]), np.array([0.1, 0.2, 0.4, 0.3])
    good = exact.law(lambda *, rng: rule(rng=rng, fresh=True))
    bad = exact.law(lambda *, rng: rule(rng=rng, fresh=False))
    assert dists.tv(exact.as_row(good, 4), p) < 1e-15
    assert dists.tv(exact.as_row(bad, 4), p) > 1e-3


@pytest.mark.parametrize(
    "misuse",
    [
        lambda u: -math.log(u),
        lambda u: np.log(u),
        lambda u: u == 0.5,
        lambda u: bool(u),
        lambda u: u * u,
        lambda u: u**2,
        lambda u: np.add.reduce([u, 1.0]) == 1,
        lambda u: u < "a",
        lambda u: {u: 1},
        lambda u: u < float("nan"),
    ],
    ids=["math.log", "np.log", "==", "bool", "product", "power", "reduce", "str", "hash", "nan"],
)
def test_law_says_what_a_lazy_uniform_cannot_do(misuse):
    with pytest.raises(TypeError):  # NotEnumerable is one
        exact.law(lambda *, rng: misuse(rng.uniform()))


@pytest.mark.parametrize(
    "misuse",
    [
        abs,
        round,
        lambda u: u % 1,
        lambda u: u // 1,
        lambda u: 1 / u,
        lambda u: f"{u}",
        lambda u: divmod(u, 1),
    ],
)
def test_law_refuses_arithmetic_that_is_not_affine(misuse):
    with pytest.raises(NotEnumerable):
        exact.law(lambda *, rng: misuse(rng.uniform()))


def test_law_of_comparisons_in_which_nothing_random_is_left():
    """u * q < p with p = q = 0 must be false, and u <= u true: these ties do not have probability zero."""
    facts = {
        "0 <= 0": lambda u: u * 0 <= 0,
        "not 0 > 0": lambda u: not u * 0 > 0,
        "not 0 < 0": lambda u: not u * 0 < 0,
        "0 >= 0": lambda u: u * 0 >= 0,
        "u <= u": lambda u: u <= u,
        "not u > u": lambda u: not u > u,
        "vector": lambda u: bool((u * np.array([0.0, 1.0]) <= np.array([0.0, 2.0])).all()),
    }
    for name, fact in facts.items():
        assert exact.law(lambda *, rng, fact=fact: bool(fact(rng.uniform()))) == {True: 1}, name


def test_law_of_a_uniform_over_zero_is_that_of_infinity():
    """u / (p / q) < 1 refuses where p = 0, as in numpy; the uniform is what it was."""
    zero = np.float64(0)
    facts = {
        "not u/0 < 1": lambda u: not u / zero < 1,
        "not u/0 <= 1": lambda u: not u / 0 <= 1,
        "u/0 > 1": lambda u: u / zero > 1,
        "1 < u/0": lambda u: np.float64(1) < u / zero,
        "Fraction": lambda u: not u / Fraction(0) < Fraction(1),
        "(1 - u)/0 > 1": lambda u: (1 - u) / zero > 1,
        "(u - 2)/0 < 1": lambda u: (u - 2) / zero < 1,
        "0/0 compares false": lambda u: not (u * 0 / zero < 1 or u * 0 / zero >= 1),
        "twice": lambda u: not u / zero / zero < 1,
        "vector": lambda u: (u / np.array([0.0, 1.0]) < 1).tolist() == [False, True],
        "ufunc": lambda u: not np.less(np.true_divide(u, zero), 1),
    }
    for name, fact in facts.items():
        assert exact.law(lambda *, rng, fact=fact: bool(fact(rng.uniform()))) == {True: 1}, name
    masses = exact.law(lambda *, rng: over_zero_then_compared(rng.uniform()))
    assert masses == {("inf", True): 0.25, ("inf", False): 0.5, ("-inf", True): 0.25}


def over_zero_then_compared(u):
    """The sign of (u - 1/4)/0 says on which side u is: later comparisons know it."""
    return ("-inf" if (u - 0.25) / 0 < 0 else "inf"), u < 0.5


def test_law_of_a_rule_that_divides_by_the_ratio():
    p, q = np.array([0.0, 0.5, 0.5]), np.array([0.5, 0.25, 0.25])

    def rule(*, rng):
        u, x = rng.uniform((1,)), rng.categorical(q)
        return x if u[0] / (p[x] / q[x]) < 1 else rng.categorical(dists.residual(p, q))

    assert exact.law(rule) == {1: 0.5, 2: 0.5}


def test_law_refuses_a_loop_that_draws_until_it_succeeds():
    def first_success(rng, draw):
        n = 0
        while not draw(rng):
            n += 1
        return n

    for draw in (
        lambda rng: rng.bernoulli(0.5),
        lambda rng: not rng.bernoulli(0.5),
        lambda rng: rng.uniform() < 0.5,
        lambda rng: rng.categorical([0.5, 0.5]),
    ):
        with pytest.raises(TooManyTraces, match="until it succeeds has infinitely many traces") as caught:
            exact.law(lambda *, rng, draw=draw: first_success(rng, draw))
        assert caught.value.__notes__[0].endswith("] and 960 more")


def test_law_stays_float64_when_a_coin_is_float32():
    masses = exact.law(lambda *, rng: int(rng.bernoulli(np.float32(0.3))) + int(rng.bernoulli(0.5)))
    assert all(type(mass) is float for mass in masses.values())
    assert exact.as_row(masses, 3).round(3).tolist() == [0.35, 0.5, 0.15]


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (float("nan"), "NaN"),
        ((i for i in (1, 2)), "generator"),
        ({1: 2}, "dict"),
        ({1}, "set"),
        ((0, {1: 2}), "dict"),
    ],
)
def test_law_names_an_outcome_that_is_no_value(outcome, message):
    with pytest.raises(TypeError, match=message):
        exact.law(lambda *, rng: outcome)
    with pytest.raises(TypeError, match="a uniform"):
        exact.law(lambda *, rng: rng.uniform())


def test_an_error_of_the_procedure_carries_its_draws():
    with pytest.raises(ZeroDivisionError) as caught:
        exact.law(lambda *, rng: 1 / (1 - rng.categorical([0.5, 0.5])))
    assert "draws [1]" in caught.value.__notes__[0]


def test_law_of_uniforms_in_an_array():
    masses = exact.law(lambda *, rng: tuple((rng.uniform((2, 2)) < np.full((2, 2), 0.25)).ravel().tolist()))
    assert masses[(True,) * 4] == 0.25**4
    assert len(masses) == 16


def test_law_of_two_uniforms_compared_is_refused_unless_they_are_apart():
    with pytest.raises(NotEnumerable, match="each other"):
        exact.law(lambda *, rng: rng.uniform() < rng.uniform())
    apart = exact.law(lambda *, rng: rng.uniform() < rng.uniform() + 1)
    assert apart == {True: 1}


# --- merge ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(12))
def test_law_of_sentences_is_the_product_of_the_rows(index):
    lm = models()[index]
    result = exact.sentence_law(ancestral(lm), max_tokens=4)
    brute = product_law(lm, 4)
    finished = {s: m for s, m in brute.items() if s[-1] == 0}
    assert exact.law_tv(result.probs, finished) == 0
    assert result.unfinished == sum(m for s, m in brute.items() if s[-1] != 0)
    assert result.tokens == sum(m * len(s) for s, m in brute.items())


@pytest.mark.parametrize("index", range(12))
def test_law_by_merging_equals_law_by_running(index):
    lm = as_floats(models()[index])
    run = exact.law(lambda *, rng: write(ancestral(lm), max_tokens=4, rng=rng))
    merged = exact.sentence_law(ancestral(lm), max_tokens=4)
    finished = {s: m for s, m in run.items() if s[-1] == 0}
    assert exact.law_tv(merged.probs, finished) < 1e-12
    assert merged.unfinished == pytest.approx(sum(m for s, m in run.items() if s[-1] != 0), abs=1e-12)


ANCESTRAL_MUTANTS = {
    "row one token behind": ("next_probs(prefix)", "next_probs(prefix[:-1])"),
    "row of the empty prefix": ("next_probs(prefix)", "next_probs(())"),
    "greedy": ("rng.categorical(lm.next_probs(prefix))", "int(lm.next_probs(prefix).argmax())"),
    "second token doubled": ("Step((rng.categorical(lm.next_probs(prefix)),))",
                             "Step((rng.categorical(lm.next_probs(prefix)),) * (1 + (len(prefix) == 1)))"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANCESTRAL_MUTANTS)
def test_law_tells_mutants_of_plain_sampling_apart(name):
    broken = mutant(ancestral, *ANCESTRAL_MUTANTS[name])
    gaps = [
        exact.law_tv(
            exact.sentence_law(broken(lm), max_tokens=4).probs,
            exact.sentence_law(ancestral(lm), max_tokens=4).probs,
        )
        for lm in models()
    ]
    assert max(gaps) > 1e-3


def test_law_of_greedy_is_one_sentence():
    for lm in models():
        result = exact.sentence_law(ancestral(Warped(as_floats(lm), dists.greedy)), max_tokens=4)
        assert [*result.probs.values(), result.unfinished][0] in (0, 1)
        assert len(result.probs) + bool(result.unfinished) == 1


def two_at_once(lm):
    """Two tokens a round, drawn one after the other: the same law in half the calls."""

    def round(prefix, *, rng):
        first = rng.categorical(lm.next_probs(prefix))
        return Step((first, rng.categorical(lm.next_probs((*prefix, first)))), drafted=2, accepted=2)

    return round


def test_count_rounds_of_two_tokens_are_cut_at_the_end_token():
    lm = TableLM({}, default=[Fraction(1, 2), Fraction(1, 2)])
    one, two = (exact.sentence_law(r, max_tokens=5) for r in (ancestral(lm), two_at_once(lm)))
    assert two.probs == one.probs
    assert two.tokens == one.tokens == sum(Fraction(1, 2**n) for n in range(5))
    assert one.calls == one.tokens and two.calls == 1 + Fraction(1, 4) + Fraction(1, 16)
    assert (
        two.accepted == two.tokens and two.drafted == 2 * two.calls
    )  # the cut-off token was drafted all the same


def test_count_illegal_tokens_end_the_sentence_and_the_counting():
    lm = TableLM({}, default=[Fraction(1, 3)] * 3)
    result = exact.sentence_law(two_at_once(lm), legal=lambda prefix: 2 not in prefix, max_tokens=2)
    assert result.probs == {(0,): Fraction(1, 3), (1, 0): Fraction(1, 9)}
    assert result.illegal == Fraction(1, 3) + Fraction(1, 9)
    assert result.unfinished == Fraction(1, 9)
    assert result.tokens == Fraction(1, 3) * 1 + Fraction(1, 3) * 1 + Fraction(1, 3) * 2
    assert result.tokens_per_call == result.tokens


def test_sentence_law_refuses_bad_rounds():
    with pytest.raises(ValueError, match="at least one token"):
        exact.sentence_law(lambda prefix, *, rng: Step(()))
    with pytest.raises(ValueError, match=r"round\(\(\)\) returned 3"):
        exact.sentence_law(lambda prefix, *, rng: 3)
    with pytest.raises(ValueError, match="give max_tokens"):
        exact.sentence_law(lambda prefix, *, rng: Step((1,)))
    endless = TableLM({}, default=[0.2, 0.4, 0.4])
    with pytest.raises(ValueError, match="unfinished prefixes after .* tokens; give max_tokens"):
        exact.sentence_law(ancestral(endless))
    for budget in (0, -1):
        with pytest.raises(ValueError, match=f"max_tokens must be at least 1, got {budget}"):
            exact.sentence_law(ancestral(endless), max_tokens=budget)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_ref_average_law_is_the_enumerated_average(n):
    values, masses = np.array([0.25, 1.5, 4.0]), np.array([0.5, 0.3, 0.2])
    sums = exact.law(lambda *, rng: sum(values[rng.categorical(masses)] for _ in range(n)))
    grid, probs = exact.average_law(values, masses, n)
    assert probs.sum() == pytest.approx(1)
    for total, mass in sums.items():
        assert probs[np.abs(grid - total / n) < 1e-9].sum() == pytest.approx(mass, abs=1e-12)
    assert (grid * probs).sum() == pytest.approx((values * masses).sum())
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        exact.average_law(values, masses, 0)
    with pytest.raises(ValueError, match="masses sums to 0.8"):
        exact.average_law(values, [0.5, 0.3, 0.0], n)


def test_ref_log_prob_is_the_sum_over_the_sentence():
    lm = as_floats(models()[0])
    for sentence, mass in product_law(lm, 3).items():
        assert math.exp(log_prob(lm, sentence)) == pytest.approx(float(mass))
        assert log_prob(lm, sentence[1:], sentence[:1]) == pytest.approx(
            log_prob(lm, sentence) - math.log(lm.next_probs(())[sentence[0]])
        )
    assert log_prob(lm, ()) == 0
    assert log_prob(TableLM({}, default=[1.0, 0.0]), (0, 1)) == -math.inf


def test_as_row_refuses_what_is_not_a_token():
    with pytest.raises(ValueError, match=r"outcome 3 is not a token id in \[0, 3\)"):
        exact.as_row({3: 1.0}, 3)
    for outcome in ("a", True, 1.0):
        with pytest.raises(ValueError, match=f"outcome {outcome!r}"):
            exact.as_row({outcome: 1.0}, 3)
    assert exact.as_row({np.int64(2): 1.0}, 3).tolist() == [0, 0, 1]
