"""Every rule against the target's own law, by enumeration in Fractions; and mutants it must not forgive."""

import math
import re
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from decodelab import dists, drafters, exact, rules
from decodelab.models import TableLM, random_pairs
from decodelab.rng import NumpyRng, ScriptedRng
from decodelab.sampling import ancestral
from decodelab.speculative import speculate, write
from decodelab.tree import Draft, Tree
from mutate import mutant

END = 0
PAIRS = 15
SCHEMES = {
    "with": drafters.with_replacement,
    "without": drafters.without_replacement,
    "chosen": drafters.chosen,
}
# (1, 2) and (2, 1) branch at different depths; V = 2 where three tokens would take minutes
SHAPES = {(1, 1): 3, (2,): 3, (2, 1): 3, (1, 2): 3, (2, 2): 2, (3, 1): 2}
RULES = {"rejection": rules.rejection, "traversal": rules.traversal, "match": rules.match}


def fractions(*weights):
    return np.array([Fraction(w, sum(weights)) for w in weights], dtype=object)


def always(row):
    """A model that gives the same row everywhere, for values worked out by hand."""
    return TableLM({}, default=row)


@cache
def pairs(vocab_size):
    return random_pairs(PAIRS, vocab_size, 5, rng=NumpyRng(4))


@cache
def truth(index, vocab_size, length):
    return exact.sentence_law(ancestral(pairs(vocab_size)[index][0]), end=END, max_tokens=length)


def sentences(rule, scheme, widths, index):
    vocab_size = SHAPES[widths]
    target, draft = pairs(vocab_size)[index]
    drafter = SCHEMES[scheme](draft, widths, start=END, end=END)
    return exact.sentence_law(speculate(target, drafter, rule, end=END), end=END, max_tokens=len(widths) + 1)


def gap(rule, scheme, widths, index):
    law = sentences(rule, scheme, widths, index)
    right = truth(index, SHAPES[widths], len(widths) + 1)
    return max(exact.law_tv(law.probs, right.probs), abs(law.unfinished - right.unfinished))


@pytest.mark.parametrize("widths", SHAPES, ids=str)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", RULES)
def test_law_of_a_rule_is_the_targets(name, scheme, widths):
    assert [gap(RULES[name], scheme, widths, index) for index in range(PAIRS)] == [0] * PAIRS


@pytest.mark.parametrize("widths", SHAPES, ids=str)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_count_traversal_never_accepts_less_than_rejection(scheme, widths):
    gains = [first_round(rules.traversal, scheme, widths, i) - first_round(rules.rejection, scheme, widths, i)
             for i in range(PAIRS)]  # fmt: skip
    assert min(gains) >= 0
    covers_all = scheme == "without" and widths[0] >= SHAPES[widths]  # then one sibling is always kept
    if scheme != "chosen" and len(widths) > 1 and not covers_all:
        assert max(gains) > 0


def first_round(rule, scheme, widths, index):
    target, draft = pairs(SHAPES[widths])[index]
    round = speculate(target, SCHEMES[scheme](draft, widths, start=END, end=END), rule, end=END)
    return sum(mass * step.accepted for step, mass in exact.law(lambda *, rng: round((), rng=rng)).items())


REJECTION_MUTANTS = {
    "resample from the target": ("row = dists.left_over(row, q)", "row = row"),
    "residual of the first row": ("row = dists.left_over(row, q)", "row = dists.left_over(p[node], q)"),
    "residual the wrong way round": ("row = dists.left_over(row, q)", "row = dists.left_over(q, row)"),
    "bonus from the row before": ("node, row = child, p[child]", "node, row = child, p[node]"),
    "ratio upside down": ("row[x] / q[x]", "q[x] / max(row[x], q[x] / 10)"),
    "always accepted": ("rng.bernoulli(min(1, row[x] / q[x]))", "row[x] > 0"),
}
TRAVERSAL_MUTANTS = {
    "path ratio forgotten": ("min(1, a * row[x] / q[x])", "min(1, row[x] / q[x])"),
    "rejection's residual": ("row = left / total if total > 0 else row", "row = dists.left_over(row, q)"),
    "ratio not updated": ("a = total / (total + (1 - a)) if total + (1 - a) > 0 else 1", "a = a"),
    "row not updated": ("row = left / total if total > 0 else row", "row = row"),
    "inner node always kept": ("rng.bernoulli(a)", "rng.bernoulli(1 if draft.tree.children(node) else a)"),
}
MATCH_MUTANTS = {
    "one draw for all": ("token = rng.categorical(p[node])", "token = rng.categorical(p[0])"),
    "the draft is emitted": ("return tuple(path), token", "return tuple(path), draft.tree.tokens[-1]"),
}
MUTANTS = [
    *(("rejection", name) for name in REJECTION_MUTANTS),
    *(("traversal", name) for name in TRAVERSAL_MUTANTS),
    *(("match", name) for name in MATCH_MUTANTS),
]
EDITS = {"rejection": REJECTION_MUTANTS, "traversal": TRAVERSAL_MUTANTS, "match": MATCH_MUTANTS}


@pytest.mark.parametrize(("rule", "name"), MUTANTS, ids=str)
def test_law_tells_mutants_of_the_rules_apart(rule, name):
    broken = mutant(RULES[rule], *EDITS[rule][name])
    cases = product([(1, 1), (2,), (2, 1)], ("with", "without"), range(PAIRS))
    gaps = (gap(broken, scheme, widths, index) for widths, scheme, index in cases)
    assert any(g > 1e-3 for g in gaps)


def test_law_tells_a_wrong_drafter_apart():
    """Siblings without replacement, recorded with the row that still holds the earlier one."""
    target, draft = fractions(4, 3, 2, 1), fractions(1, 2, 3, 4)

    def dishonest(prefix, *, rng):
        first = rng.categorical(draft)
        rest = dists.normalise(np.where(np.arange(4) == first, draft * 0, draft))
        second = rng.categorical(rest)
        return Draft(Tree((END, first, second), (-1, 0, 0)), np.stack([draft, draft, draft]))

    round = speculate(always(target), dishonest, rules.rejection, end=-1)
    law = exact.law(lambda *, rng: round((), rng=rng).tokens[0])
    assert dists.tv(exact.as_row(law, 4), target) > Fraction(1, 1000)


# --- values worked out in rationals by an independent program ------------------------------------------

FOUR_P, FOUR_Q = fractions(10, 6, 3, 1), fractions(4, 6, 6, 4)


def accepted(rule, p, q, widths, scheme="with"):
    drafter = SCHEMES[scheme](always(q), widths, start=0)
    round = speculate(always(p), drafter, rule, end=-1)
    return sum(mass * step.accepted for step, mass in exact.law(lambda *, rng: round((), rng=rng)).items())


@pytest.mark.parametrize(
    ("scheme", "values"),
    [("with", ("0.70", "0.76", "0.808")), ("without", ("0.70", "0.7804", "0.8746"))],
)
def test_count_acceptance_of_several_drafts(scheme, values):
    for n, value in enumerate(values, start=1):
        ours = float(accepted(rules.rejection, FOUR_P, FOUR_Q, (n,), scheme))
        assert ours == pytest.approx(float(value), abs=0.5 * 10 ** -len(value.split(".")[1]) + 1e-12)


def test_count_block_verification_on_the_worked_pairs():
    p, q = fractions(1, 2), fractions(2, 1)
    assert accepted(rules.rejection, p, q, (1, 1)) == Fraction(10, 9)
    assert accepted(rules.traversal, p, q, (1, 1)) == Fraction(11, 9)
    p, q = fractions(8, 6, 4, 2), fractions(1, 2, 7, 10)
    assert accepted(rules.rejection, p, q, (1, 1)) == Fraction(261, 400)
    assert accepted(rules.traversal, p, q, (1, 1)) == Fraction(143, 200)


def test_count_block_verification_of_eight_tokens():
    p, q = (np.array(row, dtype=float) for row in ((1 / 3, 2 / 3), (2 / 3, 1 / 3)))
    assert accepted(rules.rejection, p, q, (1,) * 8) == pytest.approx(1.922, abs=5e-4)
    assert accepted(rules.traversal, p, q, (1,) * 8) == pytest.approx(3.107, abs=5e-4)


def test_law_of_rejections_residual_in_place_of_blocks():
    broken = mutant(rules.traversal, *TRAVERSAL_MUTANTS["rejection's residual"])
    p, q = fractions(8, 6, 4, 2), fractions(1, 2, 7, 10)
    drafter = drafters.chain(always(q), 2, start=0)
    law, right = (
        exact.sentence_law(round, end=-1, max_tokens=3)
        for round in (speculate(always(p), drafter, broken, end=-1), ancestral(always(p)))
    )
    assert law.unfinished == right.unfinished == 1  # no end token: compare the texts themselves
    texts = exact.law(lambda *, rng: speculate(always(p), drafter, broken, end=-1)((), rng=rng).tokens)
    joint = {}
    for tokens, mass in texts.items():
        for rest in product(range(4), repeat=3 - len(tokens)):
            text = (*tokens, *rest)
            joint[text] = joint.get(text, 0) + mass * math.prod(p[x] for x in rest)
    plain = {text: math.prod(p[x] for x in text) for text in product(range(4), repeat=3)}
    assert exact.law_tv(joint, plain) == Fraction(27, 2200)


def test_count_match_keeps_the_product():
    assert accepted(rules.match, FOUR_P, FOUR_Q, (1,)) == Fraction(245, 1000)


EVERY_RULE = RULES | {
    "greedy": rules.greedy,
    "top_k": partial(rules.top_k, k=1),
    "lenient": partial(rules.lenient, leniency=0.5),
    "typical": partial(rules.typical_acceptance, epsilon=0.1, delta=0.3),
}


@pytest.mark.parametrize("name", EVERY_RULE)
@pytest.mark.parametrize("shape", [(2, 4), (4, 4), (3, 3), (3, 5), (4,)], ids=str)
def test_a_rule_refuses_rows_that_do_not_fit_the_draft(name, shape):
    draft = Draft(Tree.chain(0, (1, 2)), np.full((3, 4), 0.25))
    with pytest.raises(ValueError, match=rf"p has shape {re.escape(str(shape))} .* needs \(3, 4\)"):
        EVERY_RULE[name](np.full(shape, 1 / shape[-1]), draft, rng=NumpyRng(0))


def one_token_law(p, draft, rule=rules.rejection):
    rows = np.stack([p] * len(draft.tree.tokens))
    masses = exact.law(lambda *, rng: emitted(rule(rows, draft, rng=rng), draft))
    return exact.as_row(masses, len(p))


def emitted(verdict, draft):
    path, token = verdict
    return draft.tree.tokens[path[0]] if path else token


def test_B48_a_greedy_draft_has_a_one_hot_row():
    p, q = fractions(3, 5, 2), fractions(2, 1, 1)
    tree = Tree.chain(0, (0,))
    right = Draft(tree, np.stack([q, fractions(1, 0, 0)]))
    wrong = Draft(tree, np.stack([q, q]))
    assert one_token_law(p, right).tolist() == p.tolist()
    assert one_token_law(p, wrong).tolist() == list(fractions(6, 4, 0))


def test_B49_the_row_is_the_one_after_the_drafts_own_top_k():
    p, raw = fractions(4, 4, 2), fractions(5, 3, 2)
    cut = dists.top_k(raw, 2)

    def law_with(row):
        def decoder(*, rng):
            draft = Draft(Tree.chain(0, (rng.categorical(cut),)), np.stack([row, row]))
            return emitted(rules.rejection(np.stack([p, p]), draft, rng=rng), draft)

        return exact.as_row(exact.law(decoder), 3).tolist()

    assert law_with(cut) == p.tolist()
    assert law_with(raw) == list(fractions(1, 1, 0))
    assert 1 - dists.tv(p, cut) == Fraction(775, 1000)
    assert sum(c * min(1, a / b) for a, b, c in zip(p, raw, cut, strict=True)) == Fraction(875, 1000)


@pytest.mark.parametrize("row", [(3, 7), (1, 0)])
def test_B52_a_draft_equal_to_the_target_is_always_accepted(row):
    p = fractions(*row).astype(float)
    draft = Draft(Tree.chain(0, (int(np.argmax(p)),)), np.stack([p, p]))
    for u in (0.0, 0.5, np.nextafter(1.0, 0.0)):
        assert rules.rejection(np.stack([p, p]), draft, rng=ScriptedRng([u, 0.0]))[0] == (1,)


@pytest.mark.parametrize("rule", [rules.rejection, rules.traversal])
def test_B53_no_uniform_accepts_an_impossible_token(rule):
    p, q = np.array([[0.0, 1.0]] * 2), np.array([[1.0, 0.0]] * 2)
    assert rule(p, Draft(Tree.chain(0, (0,)), q), rng=ScriptedRng([0.0, 0.0, 0.0])) == ((), 1)


def test_B57_the_bonus_token_comes_from_the_last_row_and_only_after_all_drafts():
    def rows(*tokens):
        return dists.one_hot(tokens, 9)

    draft = Draft(Tree.chain(0, (4, 5)), rows(0, 4, 5))
    for rule in (rules.rejection, rules.traversal, rules.match, rules.greedy):
        assert rule(rows(4, 5, 8), draft, rng=NumpyRng(0)) == ((1, 2), 8)
        assert rule(rows(4, 6, 8), draft, rng=NumpyRng(0)) == ((1,), 6)


def test_B75_chosen_children_have_one_hot_rows():
    p, q = fractions(40, 35, 25), fractions(6, 3, 1)
    tree = Tree((0, 0, 1), (-1, 0, 0))
    right = Draft(tree, np.stack([q, fractions(1, 0, 0), fractions(0, 1, 0)]))
    wrong = Draft(tree, np.stack([q, q, fractions(0, 3, 1)]))
    assert one_token_law(p, right).tolist() == p.tolist()
    np.testing.assert_allclose(one_token_law(p, wrong).astype(float), [0.6667, 0.1111, 0.2222], atol=5e-5)


def test_B77_exact_rules_differ_in_what_they_accept_not_in_their_law():
    p, q = fractions(60, 20, 10, 10), fractions(70, 20, 5, 5)
    assert accepted(rules.rejection, p, q, (1,)) == Fraction(9, 10)
    assert accepted(rules.rejection, p, q, (1,), "chosen") == Fraction(6, 10)
    assert accepted(rules.match, p, q, (1,)) == Fraction(47, 100)


def test_B90_the_draft_may_have_a_temperature_of_its_own():
    p, q = dists.softmax([2, 1, 0]), dists.softmax([2, 1, 0], 1.5)
    assert accepted(rules.rejection, p, q, (1,)) == pytest.approx(0.8975, abs=5e-5)
    round = speculate(always(p), drafters.chain(always(q), 1, start=0), rules.rejection, end=-1)
    first = exact.law(lambda *, rng: round((), rng=rng).tokens[0])
    np.testing.assert_allclose(exact.as_row(first, 3), p, atol=1e-15)


def test_law_of_greedy_is_the_targets_greedy_text():
    for target, draft in pairs(3):
        for scheme in SCHEMES.values():
            round = speculate(target, scheme(draft, (2, 1), start=END, end=END), rules.greedy, end=END)
            law = exact.sentence_law(round, end=END, max_tokens=4)
            prefix = ()
            while len(prefix) < 4 and prefix[-1:] != (END,):
                prefix += (int(np.argmax(target.next_probs(prefix))),)
            assert law.probs == ({prefix: 1} if prefix[-1] == END else {})
            assert write(round, end=END, max_tokens=4, rng=NumpyRng(0)) == prefix
