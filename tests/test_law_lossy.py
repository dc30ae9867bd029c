"""Lossy rules: what each really does to the law, and that it is what its docstring says; the coupling."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from decodelab import city, dists, drafters, exact, rules, sampling
from decodelab.models import TableLM, random_pairs, tabulate
from decodelab.rng import NumpyRng, ScriptedRng
from decodelab.speculative import acceptance, speculate
from decodelab.tree import Draft, Tree
from mutate import mutant
from scipy import integrate

P, Q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.5, 0.3])
FOUR = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.3, 0.3, 0.2])
LANGUAGE = {s.tokens: float(s.prob) for s in city.sentences()}


def one_token(rule, p, q):
    """The exact law of the first token, and the chance that it was the drafted one."""
    lm, draft = TableLM({}, default=p), drafters.chain(TableLM({}, default=q), 1, start=0)
    round = speculate(lm, draft, rule, end=-1)
    law = exact.law(lambda *, rng: (lambda step: (step.tokens[0], step.accepted))(round((), rng=rng)))
    row = np.zeros(len(p))
    for (token, _), mass in law.items():
        row[token] += mass
    return row, sum(mass * kept for (_, kept), mass in law.items())


def top_k(k):
    return partial(rules.top_k, k=k)


def lenient(leniency):
    return partial(rules.lenient, leniency=leniency)


def typical(epsilon, delta):
    return partial(rules.typical_acceptance, epsilon=epsilon, delta=delta)


VALUES = [  # rule, pair, total variation from p
    *((top_k(k), (P, Q), tv) for k, tv in ((1, 0.10), (2, 0.29), (3, 0.30))),
    *((top_k(k), FOUR, tv) for k, tv in ((1, 0.10), (2, 0.15), (3, 0.24))),
    *((lenient(x), (P, Q), tv) for x, tv in ((0.8, 0.125), (0.5, 0.30), (0.2, 0.30))),
    *((lenient(x), FOUR, tv) for x, tv in ((0.8, 0.05), (0.5, 0.20), (0.2, 0.30))),
    (typical(0.09, 0.3), FOUR, 0.24),
]


@pytest.mark.parametrize(("rule", "pair", "tv"), VALUES)
def test_law_of_lossy_rules_on_the_worked_pairs(rule, pair, tv):
    row, _ = one_token(rule, *pair)
    assert dists.tv(row, pair[0]) == pytest.approx(tv, abs=1e-12)


def test_law_of_top_1_leans_to_the_likeliest():
    row, _ = one_token(top_k(1), np.array([0.6, 0.4]), np.array([0.5, 0.5]))
    assert row == pytest.approx([0.8, 0.2], abs=1e-15)


def test_law_of_top_k_that_covers_the_vocabulary_is_the_drafts():
    row, kept = one_token(top_k(3), P, Q)
    assert row == pytest.approx(Q, abs=1e-15) and kept == pytest.approx(1)


def test_top_k_ranks_zeros_too_with_ties_to_the_lowest_id():
    p, q = np.array([0.0, 0.0, 1.0]), np.array([0.5, 0.5, 0.0])
    row, _ = one_token(top_k(2), p, q)
    assert row == pytest.approx(
        [0.5, 0, 0.5]
    )  # token 0 passes with no mass of the target's, token 1 does not


def test_law_of_lenience_one_is_rejection():
    for target, draft in random_pairs(10, 3, 5, rng=NumpyRng(1)):
        drafter = drafters.with_replacement(draft, (2, 1), start=0, end=0)
        laws = [
            exact.sentence_law(speculate(target, drafter, rule, end=0), max_tokens=3).probs
            for rule in (rules.rejection, lenient(1))
        ]
        assert exact.law_tv(*laws) == 0


@pytest.mark.parametrize("leniency", [0.9, 0.6, 0.3])
def test_law_of_lenience_never_grows_a_token_by_more_than_its_inverse(leniency):
    rng = np.random.default_rng(0)
    for _ in range(200):
        p, q = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4))
        stay, end, _ = rules.lenient_kernel(p, q, None, leniency=leniency)
        assert (stay <= p / leniency + 1e-12).all()
        assert (stay + end).sum() == pytest.approx(1)


def test_B78_typical_acceptance_measures_entropy_in_nats():
    p = np.array([0.6, 0.3, 0.1])
    always_two = np.array([0.0, 0.0, 1.0])
    assert dists.entropy(p) == pytest.approx(0.8979, abs=5e-5)
    passes = [one_token(typical(0.3, 0.3), p, dists.one_hot(x, 3))[1] for x in range(3)]
    assert passes == pytest.approx([1, 1, 0])  # threshold .1222; in bits .0821, and token 2 would pass
    row, _ = one_token(typical(0.3, 0.2), p, always_two)
    assert row[2] == pytest.approx(1) and dists.tv(row, p) == pytest.approx(0.9)
    row, _ = one_token(typical(0.3, 0.3), np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    assert row.tolist() == [1, 0]


def test_typical_acceptance_never_accepts_less_at_a_higher_temperature():
    rng = np.random.default_rng(2)
    for _ in range(300):
        logits = rng.normal(size=6) * 3
        epsilon, delta = rng.uniform(0.01, 0.9, size=2)
        sets = []
        for T in (0.4, 0.7, 1.0, 1.5, 3.0):
            p = dists.softmax(logits, T)
            stay, _, _ = rules.typical_kernel(p, np.full(6, 1 / 6), None, epsilon=epsilon, delta=delta)
            sets.append(stay > 0)
        assert all((low <= high).all() for low, high in zip(sets, sets[1:], strict=False))


@pytest.mark.parametrize(
    "rule", [top_k(1), lenient(0.5), typical(0.3, 0.3)], ids=["top_k", "lenient", "typical"]
)
def test_lossy_rules_obey_the_shape_of_a_rule(rule):
    draft = Draft(Tree.chain(0, (2, 0)), np.stack([Q, Q, Q]))
    path, token = rule(np.stack([P, P, P]), draft, rng=ScriptedRng([0.99, 0.5, 0.5, 0.5]))
    assert path in ((), (1,), (1, 2)) and 0 <= token < 3


def test_a_second_child_may_pass_where_the_first_did_not():
    draft = Draft(Tree((0, 2, 0), (-1, 0, 0)), np.stack([Q, Q, Q]))
    assert top_k(1)(np.stack([P, P, P]), draft, rng=ScriptedRng([0.0]))[0] == (2,)


LOSSY_MUTANTS = {
    "typical in bits": (
        typical(0.3, 0.3),
        "np.exp(-dists.entropy(p))",
        "np.exp(-dists.entropy(p) / np.log(2))",
        "_typical",
    ),
    "typical, at least": (typical(0.3, 0.3), "p > bound", "p >= 0 * bound", "_typical"),
    "top-k of the draft order": (top_k(1), "np.argsort(-p", "np.argsort(p", "_among_top"),
}


@pytest.mark.parametrize("name", LOSSY_MUTANTS)
def test_law_tells_mutants_of_the_lossy_rules_apart(name, monkeypatch):
    rule, old, new, helper = LOSSY_MUTANTS[name]
    p = np.array([0.6, 0.3, 0.1])
    right, _ = one_token(rule, p, Q)
    from decodelab.rules import lossy

    monkeypatch.setattr(lossy, helper, mutant(getattr(lossy, helper), old, new))
    assert dists.tv(one_token(rule, p, Q)[0], right) > 1e-3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda draft: rules.top_k(P[None], draft, k=0, rng=None),
            "k must be an integer of at least 1, got 0",
        ),
        (lambda draft: rules.lenient(P[None], draft, leniency=0, rng=None), r"leniency must lie in \(0, 1\]"),
        (lambda draft: rules.lenient(P[None], draft, leniency=1.5, rng=None), "got 1.5"),
        (
            lambda draft: rules.typical_acceptance(P[None], draft, epsilon=-1, delta=0.3, rng=None),
            r"epsilon must lie in \[0, 1\], got -1",
        ),
        (lambda draft: rules.typical_kernel(P, Q, None, epsilon=0.1, delta=2), "delta must lie"),
        (
            lambda draft: rules.typical_kernel(P, Q, None, epsilon="a", delta=1),
            r"epsilon must lie .* got 'a'",
        ),
        (
            lambda draft: rules.lenient(P[None], draft, leniency=None, rng=None),
            "leniency must lie .* got None",
        ),
        (lambda draft: rules.lenient_kernel(P, Q, None, leniency=np.nan), "leniency must lie .* got nan"),
        (lambda draft: rules.top_k(P[None], draft, k=None, rng=None), "k must be an integer .* got None"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(Draft(Tree((0,), (-1,)), np.zeros((1, 3))))


# --- the city language -------------------------------------------------------------------------------


def city_law(k):
    kernel = partial(rules.top_k_kernel, k=k)
    tables = exact.reachable_rows(city.oracle(), city.ngram(2), kernel, 4)
    return exact.kernel_law(*tables, kernel, 4, legal=LANGUAGE.__contains__)


def test_law_of_city_sentences_under_top_k_acceptance():
    right = exact.kernel_law(
        *(tabulate(lm, city.prefixes()) for lm in (city.oracle(), city.ngram(2))), rules.rejection_kernel, 4
    )
    one, three, ten = map(city_law, (1, 3, 10))
    assert one.illegal < 1e-12 and three.illegal < 1e-12 and ten.illegal > 0.1
    assert one.tokens_per_call < three.tokens_per_call < right.tokens_per_call < ten.tokens_per_call
    assert one.tv_from(LANGUAGE) > 0.28 and three.tv_from(LANGUAGE) > 0.32 and ten.tv_from(LANGUAGE) > 0.16
    for law in (one, three, ten):
        assert sum(law.probs.values()) + law.illegal == pytest.approx(1, abs=1e-12)


def test_law_of_city_sentences_under_top_k_acceptance_by_running_it():
    """The illegal sentences run on to the full stop; one drafted token a round keeps the traces few."""
    kernel = partial(rules.top_k_kernel, k=10)
    tables = exact.reachable_rows(city.oracle(), city.ngram(2), kernel, 1)
    law = exact.kernel_law(*tables, kernel, 1, legal=LANGUAGE.__contains__)
    drafter = drafters.chain(city.ngram(2), 1, start=city.END, end=city.END)
    run = exact.sentence_law(speculate(city.oracle(), drafter, top_k(10), end=city.END))
    illegal = sum(mass for sentence, mass in run.probs.items() if sentence not in LANGUAGE)
    assert law.illegal == pytest.approx(illegal, abs=1e-12) and illegal > 0.01
    assert law.calls == pytest.approx(run.calls, abs=1e-10)
    assert law.tokens == pytest.approx(run.tokens, abs=1e-10)
    assert max(abs(run.probs.get(s, 0) - law.probs.get(s, 0)) for s in LANGUAGE) < 1e-12


def test_reachable_rows_of_an_exact_rule_are_the_language():
    rows, _ = exact.reachable_rows(city.oracle(), city.ngram(2), rules.block_kernel, 2)
    assert set(rows) == set(city.prefixes())


def test_law_of_typical_acceptance_with_a_threshold_in_fractions():
    p, q = (np.array([Fraction(n, 20) for n in row], dtype=object) for row in ((10, 6, 3, 1), (4, 6, 6, 4)))
    exactly = {"epsilon": Fraction(9, 100), "delta": Fraction(3, 10)}
    row, _ = one_token(typical(**exactly), p, q)
    assert row == pytest.approx(one_token(typical(0.09, 0.3), *FOUR)[0], abs=1e-12)
    for rows in ((p, q), (np.stack([p, q]), np.stack([q, p]))):
        stay, end, _ = rules.typical_kernel(*rows, None, **exactly)
        floats = rules.typical_kernel(*(r.astype(float) for r in rows), None, epsilon=0.09, delta=0.3)
        assert np.array_equal(stay > 0, floats[0] > 0) and np.all((stay + end).sum(axis=-1) == 1)


def test_reachable_rows_refuses_an_end_that_is_no_token():
    ended = TableLM({}, default=P)
    for end in (3, -1, None, 0.0):
        with pytest.raises(ValueError, match=rf"end = {end!r} is not a token id in \[0, 3\)"):
            exact.reachable_rows(ended, ended, rules.match_kernel, 1, end=end)


def test_reachable_rows_refuses_one_text_without_an_end():
    once = TableLM({}, default=np.array([0.0, 1.0, 0.0]))
    with pytest.raises(ValueError, match="a text of 1,000 tokens is not over: give the target rows that end"):
        exact.reachable_rows(once, once, rules.rejection_kernel, 2)


def test_reachable_rows_refuses_texts_that_need_not_end():
    endless = TableLM({}, default=np.array([0.0, 0.5, 0.5]))
    with pytest.raises(ValueError, match="more than 200,000 prefixes can be reached, after 17 tokens"):
        exact.reachable_rows(endless, endless, rules.match_kernel, 1)
    with pytest.raises(ValueError, match="gamma must be at least 0, got -1"):
        exact.reachable_rows(endless, endless, rules.match_kernel, -1)


# --- the coupling ------------------------------------------------------------------------------------

PAIRS = [(P, Q), FOUR, (P, P), (np.array([0.5, 0.5, 0.0]), np.array([0.0, 0.5, 0.5]))]


def test_law_of_the_coupling_on_the_four_token_pair():
    agreement = rules.gumbel_agreement(*FOUR)
    assert agreement == pytest.approx(0.6236, abs=5e-5)
    tv = 1 - acceptance(*FOUR)
    assert agreement >= (1 - tv) / (1 + tv) == pytest.approx(0.5385, abs=5e-5)


@pytest.mark.parametrize("pair", PAIRS)
def test_law_of_the_coupling_against_an_integral(pair):
    """Token x is drawn twice if its clock t beats every other at both rates: an integral over t."""

    def agree(p, q):
        def at(t, x):
            others = [max(p[y] / p[x], q[y] / q[x]) for y in range(len(p)) if y != x]
            return np.exp(-t) * np.exp(-t * sum(others))

        both = [x for x in range(len(p)) if p[x] > 0 and q[x] > 0]
        return sum(integrate.quad(at, 0, np.inf, args=(x,))[0] for x in both)

    assert rules.gumbel_agreement(*pair) == pytest.approx(agree(*pair), abs=1e-9)


def test_law_of_the_coupling_against_a_grid_of_noise():
    side = 120
    quantiles = sampling.gumbel((np.arange(side) + 0.5) / side)
    p, q = P, Q
    drawn = np.zeros((3, 3))
    noise = np.stack(np.meshgrid(quantiles, quantiles, quantiles, indexing="ij"), axis=-1).reshape(-1, 3)
    x, y = (np.argmax(np.log(row) + noise, axis=1) for row in (q, p))
    np.add.at(drawn, (x, y), 1 / len(noise))
    assert drawn.sum(axis=0) == pytest.approx(p, abs=2e-2)  # what is emitted
    assert drawn.sum(axis=1) == pytest.approx(q, abs=2e-2)
    assert np.trace(drawn) == pytest.approx(rules.gumbel_agreement(p, q), abs=2e-2)
    assert rules.gumbel_agreement(p, q) < acceptance(p, q) - 5e-3  # the rule it is mistaken for


def test_the_step_draws_both_tokens_with_the_same_noise():
    for noise in np.random.default_rng(3).gumbel(size=(200, 3)):
        x, y = rules.gumbel_step(P, Q, noise)
        assert (x, y) == (int(np.argmax(np.log(Q) + noise)), int(np.argmax(np.log(P) + noise)))
    masked = np.array([0.0, 1.0, 0.0])
    assert rules.gumbel_step(masked, Q, np.array([9.0, -9.0, 9.0]))[1] == 1


def test_law_of_the_couplings_kernel_for_whole_numbers_and_rows_of_another_shape():
    ones = np.eye(3, dtype=int)
    stay, end, grown = rules.gumbel_kernel(ones[0], ones[:2], None)
    assert stay.tolist() == [[1, 0, 0], [0, 0, 0]] and end.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert grown.tolist() == [[1, 1, 1]] * 2
    stay, _, _ = rules.gumbel_kernel(P, np.stack([Q, P]), None)
    assert stay.sum(axis=-1) == pytest.approx([rules.gumbel_agreement(P, Q), 1])
    mixed = np.array([Fraction(n, 10) for n in (2, 5, 3)], dtype=object)
    assert rules.gumbel_kernel(P, mixed, None)[0].astype(float) == pytest.approx(stay[0])
    assert rules.gumbel_step(mixed, P, np.zeros(3)) == (0, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rules.gumbel_step(P, Q[:2] / 0.7, np.zeros(3)), r"got shapes \(3,\), \(2,\) and \(3,\)"),
        (lambda: rules.gumbel_step(P, Q, np.zeros(2)), r"rows of one length, got .* and \(2,\)"),
        (lambda: rules.gumbel_step(P, Q, 0.0), r"rows of one length, got .* and \(\)"),
        (lambda: rules.gumbel_step(P[None], Q[None], np.zeros((1, 3))), "rows of one length"),
        (lambda: rules.gumbel_step(P, Q, np.array([0, np.nan, 0])), r"noise\[1\] is NaN"),
        (lambda: rules.gumbel_agreement(P, Q[:2] / 0.7), "rows of one length, got 3 and 2"),
    ],
)
def test_the_coupling_refuses_what_does_not_fit(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_law_of_the_couplings_kernel_is_exact_and_bounded():
    for target, draft in random_pairs(20, 4, 1, rng=NumpyRng(5)):
        for prefix in [(), *product(range(4), repeat=1)]:
            p, q = target.next_probs(prefix), draft.next_probs(prefix)
            stay, end, _ = rules.gumbel_kernel(p, q, None)
            assert ((stay + end) == p).all() and (end >= 0).all()  # Fractions: equal means equal
            tv = dists.tv(p, q)
            assert Fraction(1 - tv) / (1 + tv) <= stay.sum() <= 1 - tv
