"""Kernels: equal to running their rule, and then the exact sentence laws of the city language."""

import math
import time
from functools import partial

import numpy as np
import pytest
from decodelab import city, citygpt, drafters, exact, rules
from decodelab.models import TableLM, as_floats, random_pairs, tabulate
from decodelab.rng import NumpyRng
from decodelab.speculative import decode, speculate
from mutate import mutant

KERNELS = {
    "rejection": (rules.rejection, rules.rejection_kernel),
    "block": (rules.traversal, rules.block_kernel),
}
OTHERS = {
    "match": (rules.match, rules.match_kernel),
    "top_k": (partial(rules.top_k, k=1), partial(rules.top_k_kernel, k=1)),
    "lenient": (partial(rules.lenient, leniency=0.5), partial(rules.lenient_kernel, leniency=0.5)),
    "typical": (
        partial(rules.typical_acceptance, epsilon=0.4, delta=0.6),
        partial(rules.typical_kernel, epsilon=0.4, delta=0.6),
    ),
}
RUN = KERNELS | OTHERS
DEPTH = 4
LANGUAGE = {s.tokens: float(s.prob) for s in city.sentences()}
TOKENS_PER_CALL = {1: 1.7630, 2: 2.3445, 4: 2.8916, 8: 3.5482}


def finite(table, closed):
    """The table's rows at prefixes without the end token, up to DEPTH; the deepest end the sentence."""
    rows = {}
    for prefix, row in table._rows.items():
        if 0 not in prefix and len(prefix) <= DEPTH:
            rows[prefix] = np.eye(len(row))[0] if closed and len(prefix) == DEPTH else row
    return rows


def small_languages():
    pairs = [tuple(map(as_floats, pair)) for pair in random_pairs(12, 3, DEPTH, rng=NumpyRng(8))]
    return [(finite(target, True), finite(draft, False)) for target, draft in pairs]


def by_running(p_rows, q_rows, rule, gamma):
    ended = np.eye(3)[0]
    target, draft = TableLM(p_rows, default=ended), TableLM(q_rows, default=ended)
    return exact.sentence_law(speculate(target, drafters.chain(draft, gamma, start=0, end=0), rule, end=0))


def gap(one, two):
    counts = ("tokens", "calls", "accepted")
    return max(exact.law_tv(one.probs, two.probs), *(abs(getattr(one, c) - getattr(two, c)) for c in counts))


@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("name", RUN)
def test_law_of_a_kernel_is_its_rules(name, gamma):
    rule, kernel = RUN[name]
    for p_rows, q_rows in small_languages():
        assert (
            gap(exact.kernel_law(p_rows, q_rows, kernel, gamma), by_running(p_rows, q_rows, rule, gamma))
            < 1e-12
        )


KERNEL_MUTANTS = {
    "ratio of this token alone": (rules.block_kernel, "np.minimum(1, a * p", "np.minimum(1, p", "block"),
    "rejection in place of block": (rules.block_kernel, "a = np.where(a > 0, a, 1.0)", "a = 1.0", "block"),
    "rejection with blocks rule": (rules.rejection_kernel, "np.ones_like(p)", "np.ones_like(p) / 2", "block"),
    "nothing stays": (rules.rejection_kernel, "np.minimum(p, q)", "np.minimum(p, q) / 2", "rejection"),
    "match keeps what rejection keeps": (
        rules.match_kernel,
        "return p * q,",
        "return np.minimum(p, q),",
        "match",
    ),
    "top-k without its k": (rules.top_k_kernel, "np.where(_among_top(p, k), q, q * 0)", "q", "top_k"),
    "lenient forgets lenience": (rules.lenient_kernel, "p / leniency", "p", "lenient"),
    "lenient from the target": (rules.lenient_kernel, "dists.left_over(p, q)", "p", "lenient"),
    "typical of the draft": (rules.typical_kernel, "_typical(p, epsilon", "_typical(q, epsilon", "typical"),
}


@pytest.mark.parametrize("name", KERNEL_MUTANTS)
def test_law_tells_a_wrong_kernel_apart_by_law_or_by_counts(name):
    """A kernel whose parts sum to p has the right law in any case: the counts betray it."""
    kernel, old, new, rule = KERNEL_MUTANTS[name]
    bound = getattr(RUN[rule][1], "keywords", {})
    broken = partial(mutant(kernel, old, new), **bound)
    gaps = [
        gap(exact.kernel_law(p_rows, q_rows, broken, 3), by_running(p_rows, q_rows, RUN[rule][0], 3))
        for p_rows, q_rows in small_languages()
    ]
    assert max(gaps) > 1e-3


@pytest.fixture(scope="module")
def tables():
    return tabulate(city.oracle(), city.prefixes()), tabulate(city.ngram(2), city.prefixes())


@pytest.mark.parametrize("gamma", TOKENS_PER_CALL)
@pytest.mark.parametrize("name", KERNELS)
def test_law_of_city_sentences_with_the_exact_bigram(tables, name, gamma):
    started = time.process_time()
    law = exact.kernel_law(*tables, KERNELS[name][1], gamma)
    assert time.process_time() - started < 2
    assert max(abs(law.probs[s] - p) for s, p in LANGUAGE.items()) < 1e-12
    assert set(law.probs) == set(LANGUAGE) and law.illegal < 1e-12
    assert law.tokens == pytest.approx(8.75, abs=1e-10)
    assert law.tokens_per_call == pytest.approx(TOKENS_PER_CALL[gamma], abs=1e-4)
    if gamma == 4:
        assert law.calls == pytest.approx(3.026031, abs=5e-7)


def test_law_of_city_sentences_by_running_the_rule(tables):
    drafter = drafters.chain(city.ngram(2), 1, start=city.END, end=city.END)
    run = exact.sentence_law(speculate(city.oracle(), drafter, rules.rejection, end=city.END))
    assert exact.law_tv(run.probs, LANGUAGE) < 1e-12
    assert gap(run, exact.kernel_law(*tables, rules.rejection_kernel, 1)) < 1e-10
    assert run.drafted >= run.accepted


@pytest.mark.parametrize("gamma", [4, 8])
@pytest.mark.parametrize("name", KERNELS)
def test_law_of_city_sentences_with_two_transformers(name, gamma):
    target, draft = citygpt.rows("target"), citygpt.rows("draft16")
    started = time.process_time()
    law = exact.kernel_law(target, draft, KERNELS[name][1], gamma, legal=city.is_prefix)
    assert time.process_time() - started < 2
    for sentence in LANGUAGE:
        plain = math.prod(target[sentence[:t]][token] for t, token in enumerate(sentence))
        assert law.probs[sentence] == pytest.approx(plain, abs=1e-15)
    assert sum(law.probs.values()) == pytest.approx(citygpt.legal_mass(target), abs=1e-12)
    assert law.illegal == pytest.approx(1 - citygpt.legal_mass(target), abs=1e-12)
    assert law.tokens_per_call > 3.5


def test_count_running_the_loop_agrees_with_the_expectations(tables):
    """10,000 sentences, fixed seed, within three standard errors; a control with another gamma is not."""
    drafter = drafters.chain(city.ngram(2), 4, start=city.END, end=city.END)
    round = speculate(city.oracle(), drafter, rules.rejection, end=city.END)
    rng = NumpyRng(2)
    runs = [list(decode(round, max_tokens=20, rng=rng)) for _ in range(10_000)]
    counts = {
        "tokens": [sum(len(step.tokens) for step in steps) for steps in runs],
        "calls": [len(steps) for steps in runs],
        "accepted": [sum(step.accepted for step in steps) for steps in runs],
    }
    right, other = (exact.kernel_law(*tables, rules.rejection_kernel, gamma) for gamma in (4, 3))
    for name, seen in counts.items():
        error = np.std(seen) / 100
        assert abs(np.mean(seen) - getattr(right, name)) < 3 * error, name
    assert abs(np.mean(counts["calls"]) - other.calls) > 6 * np.std(counts["calls"]) / 100


def test_tables_that_would_count_mass_twice_are_refused():
    half = np.array([0.5, 0.5])
    for rows, message in [
        ({(): half, (0,): half}, r"the prefix \(0,\), which goes on after the end token 0"),
        ({(): half, (1, 1): half}, r"the prefix \(1, 1\) and not \(1,\)"),
        ({}, r"no row for the empty prefix"),
    ]:
        with pytest.raises(ValueError, match=message):
            exact.table_law(rows)
    with pytest.raises(ValueError, match="gamma must be at least 0, got -1"):
        exact.kernel_law({(): half}, {(): half}, rules.rejection_kernel, -1)


@pytest.mark.parametrize(
    ("p", "q", "end", "why"),
    [
        ({(): [0.5, 0.9]}, {(): [0.5, 0.5]}, 0, "p_rows"),
        ({(): [0.5, 0.5]}, {(): [0.5, 0.6]}, 0, "q_rows"),
        ({(): [0.5, 0.5]}, {}, 0, "q_rows has no row"),
        ({(): [0.5, 0.5]}, {(): [0.5, 0.5]}, -1, "end must be"),
        ({(): [0.5, 0.5], (1,): [1]}, {}, 0, "share one shape"),
    ],
)
def test_tables_that_are_no_laws_are_refused(p, q, end, why):
    with pytest.raises(ValueError, match=why):
        exact.kernel_law(p, q, lambda p, q, a: (p, p * 0, a), 1, end=end)
