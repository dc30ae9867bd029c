"""What theory expects of speculative decoding: published values, and the formulas against running rounds."""

import math
import operator
from fractions import Fraction
from functools import partial
from itertools import accumulate, product

import numpy as np
import pytest
from decodelab import city, citygpt, dists, drafters, exact, rules
from decodelab.models import Counting, TableLM, as_floats, random_pairs, tabulate
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import (
    acceptance,
    best_gamma,
    expected_calls,
    expected_tokens,
    expected_wasted,
    least_rejections,
    position_acceptance,
    round_cost,
    speculate,
    speedup,
    write,
)
from decodelab.tree import Step
from mutate import mutant

P, Q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.5, 0.3])
END = 0


def always(row):
    return TableLM({}, default=row)


def fractions(*weights):
    return np.array([Fraction(w, sum(weights)) for w in weights], dtype=object)


# --- tokens a call and speed ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alpha", "gamma", "tokens"),
    [(0.8, 5, 3.69), (0.9, 10, 6.86), (0.8, 4, 3.3616), (0.75, 5, 3.288), (0, 3, 1), (1, 3, 4), (0.7, 0, 1)],
)
def test_expected_tokens_of_the_papers_and_their_limits(alpha, gamma, tokens):
    digits = len(str(tokens).partition(".")[2])
    assert expected_tokens(alpha, gamma) == pytest.approx(tokens, abs=0.5 * 10**-digits + 1e-12)
    if alpha < 1:
        assert expected_tokens(alpha, gamma) == pytest.approx((1 - alpha ** (gamma + 1)) / (1 - alpha))


@pytest.mark.parametrize("gamma", range(5))
def test_expected_tokens_is_what_a_round_emits(gamma):
    round = speculate(always(P), drafters.chain(always(Q), gamma, start=0), rules.rejection, end=-1)
    law = exact.law(lambda *, rng: len(round((), rng=rng).tokens))
    assert sum(n * mass for n, mass in law.items()) == pytest.approx(expected_tokens(0.7, gamma))


def test_the_limit_of_many_drafts_is_one_over_one_minus_alpha_for_a_low_alpha_only():
    short = [expected_tokens(alpha, 5) * (1 - alpha) for alpha in (0.5, 0.75, 0.9)]
    assert short == pytest.approx([0.984, 0.822, 0.469], abs=5e-4)
    assert expected_tokens(1 - 1e-9, 5) == pytest.approx(6)


def test_B59_eighty_percent_a_token_is_not_eighty_percent_of_the_draft():
    assert expected_tokens(0.8, 8) - 1 == pytest.approx(3.3289, abs=5e-5)
    assert (expected_tokens(0.8, 8) - 1) / 8 == pytest.approx(0.416, abs=5e-4)
    assert expected_tokens(0.8, 8) == pytest.approx(4.3289, abs=5e-5)
    assert expected_tokens(1, 8) == expected_tokens(1.0, 8) == 9
    assert expected_tokens(0, 8) == expected_tokens(0.0, 8) == 1


@pytest.mark.parametrize("alpha", [0, 0.3, 0.8, 1])
def test_wasted_drafts_grow_with_the_draft_length(alpha):
    wasted = [expected_wasted(alpha, gamma) for gamma in range(9)]
    assert wasted[0] == 0
    assert wasted == pytest.approx([gamma - (expected_tokens(alpha, gamma) - 1) for gamma in range(9)])
    steps = np.diff(wasted)
    assert (steps >= 0).all() and (np.diff(steps) >= -1e-12).all()  # each further draft wastes more


def test_speed_of_a_round_and_of_the_lessons_example():
    assert round_cost(5, 3 / 30) * 30 == pytest.approx(45) and 5 * round_cost(0, 3 / 30) * 30 == 150
    assert speedup(0.75, 5, 0.2) == pytest.approx(1.644, abs=5e-4)
    assert speedup(0.75, 5, 0.1) == pytest.approx(2.192, abs=5e-4)
    assert speedup(0.75, 5, 0.0630) == pytest.approx(2.5, abs=5e-4)
    assert speedup(0.8, 4, 0.1) == pytest.approx(2.40, abs=5e-3)
    assert speedup(1, 5, 0.1) == pytest.approx(4)


BEST = {
    (0.9, 0.02): 19,
    (0.7, 0.1): 4,
    (0.8, 0.1): 6,
    (0.5, 0.1): 2,
    (0.85, 0.1): 7,
    (0.5, 0.05): 3,
    (0.85, 0.05): 10,
}


@pytest.mark.parametrize("setting", BEST)
def test_the_best_draft_length(setting):
    assert best_gamma(*setting) == BEST[setting]


def test_the_best_draft_length_is_not_sixteen():
    speeds = [speedup(0.9, gamma, 0.02) for gamma in (16, 18, 19, 20)]
    assert speeds == pytest.approx([6.31233, 6.35967, 6.36539, 6.36129], abs=5e-6)


def exact_best(alpha, c, most):
    """The best draft length in rationals, with nothing rounded."""
    alpha, c = Fraction(alpha), Fraction(c)
    tokens = accumulate(alpha**i for i in range(most + 1))
    speeds = [n / (gamma * c + 1) for gamma, n in enumerate(tokens)]
    return max(range(most + 1), key=lambda gamma: speeds[gamma])


@pytest.mark.parametrize(("alpha", "c"), [(0.5, 1e-17), (0.5, 1e-30), (0.3, 1e-16), (0.2, 1e-60), (0.8, 0.1)])
def test_the_best_draft_length_when_drafting_costs_next_to_nothing(alpha, c):
    assert best_gamma(alpha, c) == exact_best(alpha, c, 130)
    speeds = [speedup(alpha, gamma, c) for gamma in range(131)]
    if c < 1e-16:  # comparing rounded speeds stops where they are equal in float64
        assert int(np.argmax(speeds)) < exact_best(alpha, c, 130)


def test_the_best_draft_length_with_a_cost_of_verification():
    for v in (lambda n: 1 + n / 20, lambda n: max(1, n / 8), lambda n: 1 + (n > 7), lambda n: 2 - (n > 3)):
        speeds = [speedup(0.8, gamma, 0.05, v=v(gamma)) for gamma in range(60)]
        assert best_gamma(0.8, 0.05, v=v) == int(np.argmax(speeds))
    assert best_gamma(0.8, 0, v=lambda n: 1 + n / 5) == 4  # free drafts, and still an end
    with pytest.raises(ValueError, match="has no best length"):
        best_gamma(0.01, 0)  # alpha^1000 is 0 in float64, and still more than nothing
    assert best_gamma(0, 0.0) == best_gamma(0, 0.1) == 0
    for v in (1, 2.5):
        assert best_gamma(0.8, 0.1, v=v) == int(np.argmax([speedup(0.8, n, 0.1, v=v) for n in range(40)]))


FLAT = always(np.full(600, 1 / 600))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(expected_tokens, 1.2, 3), r"alpha must lie in \[0, 1\], got 1.2"),
        (partial(expected_tokens, 0.5, -1), "gamma must be at least 0, got -1"),
        (partial(expected_wasted, -0.1, 3), "alpha must lie in"),
        (partial(expected_calls, [0.5, 1.5], 3), r"alpha must lie in \[0, 1\], got 1.5"),
        (partial(expected_calls, [0.5], -2), "gamma must be at least 0, got -2"),
        (partial(expected_calls, [], -1), "gamma must be at least 0, got -1"),
        (partial(expected_calls, 0.5, 3), "alphas must hold a chance for each token of the text, got 0.5"),
        (partial(position_acceptance, {}, {}), "p_rows is empty"),
        (partial(best_gamma, 0.5, 0.1, v=0), "v positive, got c = 0.1, v = 0"),
        (partial(round_cost, -1, 0.1), "gamma must be at least 0, got -1"),
        (partial(speedup, 0.5, 3, -0.1), "c must be at least 0 and v positive, got c = -0.1"),
        (partial(best_gamma, 1.1, 0.1), "alpha must lie in"),
        (partial(best_gamma, 0.5, 0.1, v=lambda gamma: 0), "v positive, got c = 0.1, v = 0"),
        (partial(least_rejections, always(P), always(Q), length=-1), "length must be at least 0, got -1"),
        (partial(least_rejections, FLAT, FLAT, length=3), "length = 3 is too long: 360,000 prefixes have 2"),
        (partial(position_acceptance, {(): P, (1, 1): P}, {(): Q, (1, 1): Q}), r"have a gap: .* \(1, 1\)"),
        (partial(position_acceptance, {(): P, (1,): P}, {(): Q}), r"have a gap: .* \(1,\)"),
        (partial(position_acceptance, {(1,): P}, {(1,): Q}), "have a gap"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (None, "the rule returned None and not a pair"),
        (7, "the rule returned 7 and not a pair"),
        (((1,), 0, 2), "not a pair"),
        ((1, 0), "not a pair"),
        (((1,), None), "the token None is not an id"),
        (((1.0,), 0), "down: 1.0 is no child of 0"),
        (((2,), 0), r"the path \(2,\) does not lead down: 2 is no child of 0"),
        (((1, 1), 0), "down: 1 is no child of 1"),
        (((0,), 0), "down: 0 is no child of 0"),
        (((1, 2, 3), 0), "down: 3 is no child of 2"),
        (((-1,), 0), "down: -1 is no child of 0"),
        (((1,), 3), r"the token 3 is not an id in \[0, 3\)"),
        (((1,), -1), "the token -1"),
    ],
    ids=str,
)
def test_a_round_refuses_what_is_no_verdict(verdict, message):
    round = speculate(
        always(P), drafters.chain(always(Q), 2, start=0), lambda p, draft, *, rng: verdict, end=-1
    )
    with pytest.raises(ValueError, match=message):
        round((), rng=NumpyRng(0))


def test_a_round_takes_a_verdict_of_numpys_integers():
    drafter = drafters.chain(always(np.array([0, 1, 0])), 2, start=0)
    round = speculate(always(P), drafter, lambda p, draft, *, rng: (np.array([1, 2]), np.int64(2)), end=-1)
    step = round((), rng=NumpyRng(0))
    assert step == Step((1, 1, 2), drafted=2, accepted=2) and all(type(x) is int for x in step.tokens)


# --- texts that end ------------------------------------------------------------------------------------

LENGTHS = {6: 2.987, 7: 3.391, 8: 3.774, 9: 4.137, 12: 3.868, 20: 4.511, 1000: 4.701}


def per_call(alphas, gamma=4, calls=expected_calls):
    return len(alphas) / calls(alphas, gamma)


def test_tokens_a_call_of_sentences_of_a_fixed_length():
    for length, value in LENGTHS.items():
        assert per_call([0.9701] * length) == pytest.approx(value, abs=5e-4)
    assert per_call([0.9701] * 10) == pytest.approx(4.4822, abs=5e-5)
    assert per_call([0.9701] * 1000) < expected_tokens(0.9701, 4) == pytest.approx(4.71, abs=5e-3)
    assert expected_calls([], 4) == 0 and expected_calls([0.5], 4) == 1 and per_call([0.5] * 7, 0) == 1


def test_tokens_a_call_of_a_mixture_of_lengths():
    tokens = 0.35 * 12 + 0.65 * 7
    calls = 0.35 * expected_calls([0.9701] * 12, 4) + 0.65 * expected_calls([0.9701] * 7, 4)
    assert tokens == 8.75 and tokens / calls == pytest.approx(3.604, abs=5e-4)


def keeps_with(alphas):
    """A target that writes 1 … 1 0 and a draft that says so with alphas[t], and else the word 2."""
    p_rows, q_rows = {}, {}
    for t, alpha in enumerate(alphas):
        word = END if t == len(alphas) - 1 else 1
        p_rows[(1,) * t] = dists.one_hot(word, 3)
        q_rows[(1,) * t] = alpha * dists.one_hot(word, 3) + (1 - alpha) * dists.one_hot(2, 3)
    return p_rows, q_rows


@pytest.mark.parametrize("gamma", [0, 1, 2, 3, 6])
@pytest.mark.parametrize("alphas", [[0.7] * 5, [0.9, 0.1, 0.5, 0.6], [1, 0, 1, 0, 1], [0.25]], ids=str)
def test_expected_calls_is_what_running_the_rule_takes(alphas, gamma):
    p_rows, q_rows = keeps_with(alphas)
    target, draft = (TableLM(rows, default=dists.one_hot(END, 3)) for rows in (p_rows, q_rows))
    round = speculate(target, drafters.chain(draft, gamma, start=END, end=END), rules.rejection, end=END)
    run = exact.sentence_law(round, end=END)
    assert run.tokens == pytest.approx(len(alphas))
    assert run.calls == pytest.approx(expected_calls(alphas, gamma), abs=1e-12)


CALLS_MUTANTS = {
    "no bonus token": ("calls[t + gamma + 1]", "calls[t + gamma]"),
    "a refusal costs no token": ("(1 - alphas[i]) * calls[i + 1]", "(1 - alphas[i]) * calls[max(i, t + 1)]"),
    "acceptance of the first token": ("reach *= alphas[i]", "reach *= alphas[t]"),
    "kept tokens forgotten": ("reach *= alphas[i]", "reach *= 1"),
    "a round costs nothing at the end": ("reach, calls[t] = 1, 1", "reach, calls[t] = 1, t + 1 < length"),
}


@pytest.mark.parametrize("name", CALLS_MUTANTS)
def test_expected_calls_tells_mutants_apart(name):
    broken = mutant(expected_calls, *CALLS_MUTANTS[name])
    alphas = [0.9, 0.1, 0.5, 0.6, 0.8, 0.7]
    assert abs(broken(alphas, 2) - expected_calls(alphas, 2)) > 1e-3


def test_uneven_acceptance_misleads_either_way():
    """The mean is right for independent chances, too high for runs and too low for alternation."""
    each = [expected_calls(alphas, 4) for alphas in product((0.5, 1), repeat=8)]  # independent, 1/2 each
    assert sum(each) / len(each) == pytest.approx(expected_calls([0.75] * 8, 4), abs=1e-12)
    half = 20_000
    halves = per_call([0.5] * half + [1] * half)
    assert halves == pytest.approx(2.79279, abs=1e-4)
    assert halves < expected_tokens(0.75, 4) == pytest.approx(3.05078, abs=5e-6)
    assert halves == pytest.approx(2 / (1 / expected_tokens(0.5, 4) + 1 / expected_tokens(1, 4)), abs=1e-4)
    assert per_call([1, 0] * 50) == 2 > expected_tokens(0.5, 4) == 1.9375


# --- acceptance along a text ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bigram():
    return tabulate(city.oracle(), city.prefixes()), tabulate(city.ngram(2), city.prefixes())


def test_acceptance_of_the_bigram_by_position(bigram):
    alpha, weight = position_acceptance(*bigram)
    assert len(alpha) == len(weight) == len(city.prefixes())
    assert weight.sum() == pytest.approx(1, abs=1e-12)
    assert alpha @ weight == pytest.approx(0.8375054952, abs=5e-11)
    assert alpha @ weight == pytest.approx(citygpt.acceptance(*bigram), abs=1e-12)
    assert abs(alpha.mean() - alpha @ weight) > 1e-3  # unweighted it is another number
    first = list(bigram[0]).index(())
    assert weight[first] == pytest.approx(1 / 8.75)  # one token in 8.75 is a first word
    sure = weight[alpha > 0.99].sum()
    assert 0.6 < sure < 0.7


def test_acceptance_by_position_does_not_depend_on_the_order_of_the_table(bigram):
    turned = [dict(reversed(rows.items())) for rows in bigram]
    alpha, weight = position_acceptance(*turned)
    forth = position_acceptance(*bigram)
    assert np.array_equal(alpha[::-1], forth[0]) and np.allclose(weight[::-1], forth[1], rtol=0, atol=1e-15)


def test_acceptance_by_position_counts_what_the_rule_keeps():
    """With one draft a round and no end inside, kept tokens are alpha @ weight of what is drafted."""
    p_rows, q_rows = keeps_with([0.9, 0.1, 0.5, 0.6])
    alpha, weight = position_acceptance(p_rows, q_rows)
    assert alpha == pytest.approx([0.9, 0.1, 0.5, 0.6]) and weight == pytest.approx([0.25] * 4)


def test_the_draft_that_accepts_most_is_not_the_fastest():
    """Cost by parameters, four drafts a round: the bigram (free), networks of 2,016 and 6,848, the target."""
    target = citygpt.rows("target")
    tables = [tabulate(city.ngram(2), city.prefixes()), *map(citygpt.rows, ("draft8", "draft16", "target"))]
    sizes = [
        0,
        *(sum(w.numel() for w in citygpt.load(n).parameters()) for n in ("draft8", "draft16", "target")),
    ]
    alphas, speeds = [], []
    for rows, size in zip(tables, sizes, strict=True):
        law = exact.kernel_law(target, rows, rules.rejection_kernel, 4, legal=city.is_prefix)
        alphas.append(citygpt.acceptance(target, rows))
        speeds.append(law.tokens_per_call / round_cost(4, size / sizes[-1]))
    assert alphas == sorted(alphas) and sizes == sorted(sizes)
    assert int(np.argmax(speeds)) == 1 and speeds[-1] < 1


# --- the lower bound on rejections ---------------------------------------------------------------------

LENGTH = 3
PAIRS = random_pairs(12, 3, 2 * LENGTH, rng=NumpyRng(6))


def rejections(round, length, end):
    """Expected refused drafts while `length` tokens are written, when every block reaches to the last."""
    law = exact.sentence_law(round, end=END if end is None else end, max_tokens=length)
    return law.tokens - law.accepted


def rejections_of(rule, target, draft, end=END, length=LENGTH):
    drafter = drafters.chain(draft, length, start=0, end=end)
    return rejections(speculate(target, drafter, rule, end=end), length, end)


@pytest.mark.parametrize("end", [END, -1])
def test_rejection_attains_the_lower_bound(end):
    for target, draft in PAIRS:
        bound = least_rejections(target, draft, length=LENGTH, end=None if end == -1 else end)
        assert rejections_of(rules.rejection, target, draft, end) == bound  # Fractions: equal means equal


def half_tested(p, draft, *, rng):
    """Exact, and refuses more than it must: every draft is kept with half the usual chance."""
    for i, x in enumerate(draft.tree.tokens[1:]):
        least = np.minimum(p[i], draft.q[i + 1]) / 2
        if not rng.bernoulli(least[x] / draft.q[i + 1][x]):
            return tuple(range(1, i + 1)), rng.categorical((p[i] - least) / (1 - least.sum()))
    return tuple(range(1, len(p))), rng.categorical(p[-1])


@pytest.mark.parametrize("rule", [rules.match, half_tested])
def test_exact_rules_that_judge_a_token_alone_stay_above_the_bound(rule):
    above = []
    for target, draft in PAIRS:
        law = exact.sentence_law(
            speculate(target, drafters.chain(draft, LENGTH, start=0, end=END), rule, end=END),
            max_tokens=LENGTH,
        )
        plain = exact.sentence_law(ancestral(target), max_tokens=LENGTH)
        assert law.probs == plain.probs  # the bound binds exact rules
        above.append(law.tokens - law.accepted - least_rejections(target, draft, length=LENGTH, end=END))
    assert min(above) >= 0 and max(above) > Fraction(1, 100)


def test_a_rule_that_is_not_exact_goes_below_the_bound():
    always_kept = mutant(rules.rejection, "rng.bernoulli(min(1, row[x] / q[x]))", "row[x] > 0")
    below = [
        rejections_of(always_kept, target, draft) - least_rejections(target, draft, length=LENGTH, end=END)
        for target, draft in PAIRS
    ]
    assert max(below) <= 0 and min(below) < -Fraction(1, 10)


def test_the_coupling_stays_above_the_bound_by_its_kernel():
    """Sentences of four tokens at most; the last row of the target ends them."""
    for target, draft in (tuple(map(as_floats, pair)) for pair in PAIRS):
        prefixes = [(), *(x for n in (1, 2, 3) for x in product((1, 2), repeat=n))]
        p_rows, q_rows = (tabulate(lm, prefixes) for lm in (target, draft))
        p_rows |= {prefix: dists.one_hot(END, 3) for prefix in prefixes if len(prefix) == 3}
        closed = [TableLM(rows, default=dists.one_hot(END, 3)) for rows in (p_rows, q_rows)]
        bound = least_rejections(*closed, length=4, end=END)
        found = {
            kernel: (lambda law: law.tokens - law.accepted)(exact.kernel_law(p_rows, q_rows, kernel, 4))
            for kernel in (rules.rejection_kernel, rules.gumbel_kernel, rules.match_kernel)
        }
        assert found[rules.rejection_kernel] == pytest.approx(bound, abs=1e-12)
        assert found[rules.gumbel_kernel] >= bound - 1e-12
        assert found[rules.match_kernel] >= found[rules.gumbel_kernel] - 1e-12


def test_block_verification_goes_below_the_bound():
    p, q = always(fractions(1, 2)), always(fractions(2, 1))
    assert least_rejections(p, q, length=2) == Fraction(2, 3)
    assert rejections_of(rules.rejection, p, q, end=-1, length=2) == Fraction(2, 3)
    assert rejections_of(rules.traversal, p, q, end=-1, length=2) == Fraction(5, 9)
    gains = [
        least_rejections(target, draft, length=LENGTH, end=END)
        - rejections_of(rules.traversal, target, draft)
        for target, draft in PAIRS
    ]
    assert max(gains) > Fraction(1, 1000)


BOUND_MUTANTS = {
    "prefixes not weighted": ("mass * dists.tv", "dists.tv"),
    "texts do not stop": ("if x != end}", "}"),
    "weighted by the draft": ("mass * p[x]", "mass * draft.next_probs(prefix)[x]"),
    "first token only": ("for t in range(length)", "for t in range(min(length, 1))"),
}


@pytest.mark.parametrize("name", BOUND_MUTANTS)
def test_the_bound_tells_mutants_apart(name):
    broken = mutant(least_rejections, *BOUND_MUTANTS[name])
    gaps = [
        abs(f - least_rejections(*pair, length=LENGTH, end=END))
        for pair in PAIRS
        for f in [broken(*pair, length=LENGTH, end=END)]
    ]
    assert max(gaps) > Fraction(1, 1000)


def test_the_bound_of_no_tokens_is_nothing_and_floats_stay_floats():
    assert least_rejections(always(P), always(Q), length=0) == 0
    assert least_rejections(always(P), always(Q), length=3) == pytest.approx(0.9)
    assert isinstance(least_rejections(*PAIRS[0], length=2), Fraction | int)


# --- acceptance and what it is mistaken for -------------------------------------------------------------


def at(T, a, b):
    return float(acceptance(dists.softmax(a, T), dists.softmax(b, T)))


def test_acceptance_falls_and_rises_with_the_temperature():
    values = [at(T, (4, 2, 0), (4, 0, 2)) for T in (0.1, 1, 2, 10, 100)]
    assert values == pytest.approx([1, 0.898566, 0.845302, 0.940375, 0.993400], abs=2e-6)
    assert values[0] > values[1] > values[2] < values[3] < values[4]


def test_acceptance_of_greedy_text_can_be_the_lower_one():
    a, b = np.log([0.51, 0.49]), np.log([0.49, 0.51])
    assert at(0, a, b) == 0
    assert [at(T, a, b) for T in (0.1, 1, 2)] == pytest.approx([0.802599, 0.98, 0.989999], abs=5e-7)


def greedy_and_sampled(p, q):
    """What `rejection` keeps of a draft that is the likeliest token of q, and of one drawn from q."""
    kept = []
    for drafter in (drafters.chosen, drafters.with_replacement):
        round = speculate(always(p), drafter(always(q), (1,), start=0), rules.rejection, end=-1)
        law = exact.law(lambda *, rng, round=round: round((), rng=rng).accepted)
        kept.append(law.get(1, 0.0))
    return kept


def test_a_greedy_draft_is_kept_more_often_or_less():
    assert greedy_and_sampled(P, P) == pytest.approx([0.5, 1])
    p = np.array([0.91, *[0.01] * 9])
    flat = dists.normalise([1.001, *[1] * 9])
    assert greedy_and_sampled(p, flat) == pytest.approx([0.91, 0.19], abs=1e-3)


def test_a_smaller_divergence_can_mean_a_lower_acceptance():
    p, a, b = (0.5, 0.49, 0.01), (0.6, 0.39, 0.01), (0.5, 0.44, 0.06)
    assert [dists.kl(a, p), dists.kl(p, a)] == pytest.approx([0.0203721, 0.0206860], abs=5e-8)
    assert [dists.kl(b, p), dists.kl(p, b)] == pytest.approx([0.0601481, 0.0348214], abs=5e-8)
    assert acceptance(p, a) == pytest.approx(0.90) and acceptance(p, b) == pytest.approx(0.95)
    for row, other in ((p, a), (p, b), (a, b)):
        assert acceptance(row, other) >= 1 - math.sqrt(dists.kl(row, other) / 2)  # Pinsker


# --- one round is one call -----------------------------------------------------------------------------


def one_by_one(target, drafter, rule, *, end):
    """The round of the lesson: the target is asked for one row after the other."""

    def round(prefix, *, rng):
        draft = drafter(prefix, rng=rng)
        paths = [draft.tree.path_tokens(node) for node in range(len(draft.tree.tokens))]
        rows = np.stack([target.next_probs((*prefix, *path)) for path in paths])
        path, token = rule(rows, draft, rng=rng)
        return Step((*(draft.tree.tokens[node] for node in path), token))

    return round


@pytest.mark.parametrize("gamma", [0, 1, 4])
def test_count_a_round_calls_the_target_once(gamma):
    drafter = drafters.chain(always(Q), gamma, start=0)
    for make, calls in ((speculate, 1), (one_by_one, gamma + 1)):
        target = Counting(always(P))
        make(target, drafter, rules.rejection, end=-1)((), rng=NumpyRng(0))
        assert target.calls == calls
    assert target.rows == gamma + 1


def test_a_prefix_may_be_a_list_or_a_tuple():
    target, draft = map(as_floats, PAIRS[0])
    round = speculate(target, drafters.chain(draft, 2, start=0, end=END), rules.rejection, end=END)
    for prefix in ([1, 2], (1, 2)):
        assert round(prefix, rng=NumpyRng(3)).tokens == round((1, 2), rng=NumpyRng(3)).tokens
        assert write(round, prefix, max_tokens=2, rng=NumpyRng(3)) == write(
            round, (1, 2), max_tokens=2, rng=NumpyRng(3)
        )
    with pytest.raises(TypeError):
        operator.add((1, 2), [0])  # what the code of the lesson does with a tuple
