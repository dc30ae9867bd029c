"""What a round must not do: each fault of the sources run, with its exact law; and what is said beside it."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from decodelab import dists, drafters, exact, rules
from decodelab.models import TableLM, Warped, as_floats, random_pairs
from decodelab.museum import rules as museum_rules
from decodelab.rng import NumpyRng, ScriptedRng
from decodelab.sampling import ancestral
from decodelab.speculative import acceptance, decode, speculate
from decodelab.tree import Draft, Step, Tree
from mutate import mutant

END = 0
TEST = "rng.bernoulli(min(1, row[x] / q[x]))"
RESIDUAL = "row = dists.left_over(row, q)"
AFTER_THE_TEST = f"""        if {TEST}:
            path.append(child)
            node, row = child, p[child]
            children = list(draft.tree.children(node))
        else:
            {RESIDUAL}
"""


def tenths(*numbers):
    return np.array([Fraction(n, 10) for n in numbers], dtype=object)


def hundredths(*numbers):
    return [Fraction(n, 100) for n in numbers]


P, Q = tenths(5, 3, 2), tenths(2, 5, 3)


def always(row):
    return TableLM({}, default=row)


def first_token(rule, p=P, q=Q, drafter=drafters.with_replacement):
    round = speculate(always(p), drafter(always(q), (1,), start=0), rule, end=-1)
    return exact.as_row(exact.law(lambda *, rng: round((), rng=rng).tokens[0]), len(p))


# --- one token -----------------------------------------------------------------------------------------

THRESHOLD = "row[x] >= q[x]"
REDRAWN = AFTER_THE_TEST.replace(TEST, THRESHOLD).replace(RESIDUAL, "pass")
TURNED = AFTER_THE_TEST.replace("row[x] / q[x]", "q[x] / row[x]").replace("(row, q)", "(q, row)")
FAULTS = {
    "none": (RESIDUAL, RESIDUAL, (50, 30, 20)),
    "acceptall": (TEST, "True", (20, 50, 30)),
    "resample": (RESIDUAL, "row = row", (35, 39, 26)),
    "threshold": (AFTER_THE_TEST, REDRAWN, (60, 24, 16)),
    "threshold, then the residual": (TEST, THRESHOLD, (100, 0, 0)),
    "the formulas the other way round": (AFTER_THE_TEST, TURNED, (8, 58, 34)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_law_of_a_rule_with_one_fault(fault):
    old, new, law = FAULTS[fault]
    assert first_token(mutant(rules.rejection, old, new)).tolist() == hundredths(*law)


def test_law_when_target_and_draft_change_places():
    """Chen et al. call the target q: whoever hands the models over in that order gets the draft's law."""
    right = speculate(always(P), drafters.chain(always(Q), 1, start=0), rules.rejection, end=-1)
    turned = speculate(always(Q), drafters.chain(always(P), 1, start=0), rules.rejection, end=-1)
    laws = [exact.law(lambda *, rng, r=r: r((), rng=rng).tokens[0]) for r in (right, turned)]
    assert [exact.as_row(law, 3).tolist() for law in laws] == [P.tolist(), Q.tolist()]


def test_law_of_a_greedy_draft():
    def softmax_row(lm, widths, *, start):
        """The likeliest token, with the row it was not drawn from."""
        row = lm.next_probs(())
        tree = Tree.chain(start, (int(np.argmax(row)),))
        return lambda prefix, *, rng: Draft(tree, np.stack([row, row]))

    assert first_token(rules.rejection, drafter=softmax_row).tolist() == hundredths(40, 60, 0)
    assert first_token(rules.rejection, drafter=drafters.chosen).tolist() == P.tolist()


def test_law_with_a_map_on_the_draft_only():
    """Top-2 is wanted of the target. On the draft alone it changes the speed, and the text not at all."""
    wanted = dists.top_k(P, 2)

    def law(target, draft):
        round = speculate(target, drafters.chain(draft, 1, start=0), rules.rejection, end=-1)
        return exact.as_row(exact.law(lambda *, rng: round((), rng=rng).tokens[0]), 3)

    cut_p, cut_q = (Warped(always(row), lambda p: dists.top_k(p, 2)) for row in (P, Q))
    assert law(cut_p, cut_q).tolist() == law(cut_p, always(Q)).tolist() == wanted.tolist()
    assert law(always(P), cut_q).tolist() == P.tolist()
    assert dists.tv(law(always(P), cut_q), wanted) == Fraction(2, 10)


def test_draft_and_target_share_a_vocabulary():
    for other in (tenths(2, 8), tenths(2, 3, 4, 1)):
        round = speculate(always(P), drafters.chain(always(other), 1, start=0), rules.rejection, end=-1)
        with pytest.raises(
            ValueError, match=f"rows over {len(other)} tokens and target over 3: they must share"
        ):
            round((), rng=NumpyRng(0))
        with pytest.raises(ValueError, match="rows of one length"):
            acceptance(P, other)
        # a rule checks too: nobody else would notice, for the one token that is kept is in both
        draft = Draft(Tree.chain(0, (0,)), np.stack([other, other]))
        with pytest.raises(ValueError, match=r"p has shape \(2, 3\) and the draft needs \(2, "):
            rules.rejection(np.stack([P, P]), draft, rng=ScriptedRng([True, 0]))
        verdict = museum_rules.accepts_everything(np.stack([P, P]), draft, rng=ScriptedRng([0]))
        assert verdict == ((1,), 0)


def test_law_of_the_rejection_branch_alone():
    """The residual is what is drawn after a rejection, and it is not the target; only both branches are."""
    round = speculate(always(P), drafters.chain(always(Q), 1, start=0), rules.rejection, end=-1)
    law = exact.law(lambda *, rng: (lambda step: (step.accepted, step.tokens[0]))(round((), rng=rng)))
    kept, refused = (np.array([law.get((n, x), Fraction(0)) for x in range(3)]) for n in (1, 0))
    assert dists.normalise(refused).tolist() == dists.residual(P, Q).tolist() == [1, 0, 0]
    assert dists.normalise(kept).tolist() == [Fraction(n, 7) for n in (2, 3, 2)]
    assert (kept + refused).tolist() == P.tolist()


def test_a_residual_that_rounds_to_nothing():
    """Target and draft differ in the last bit, and u falls between: there is no positive part left."""
    target, draft = np.array([0.5, np.nextafter(0.5, 0)]), np.array([0.5, 0.5])
    u = 1 - 2.0**-53
    assert not u < target[1] / draft[1] < 1
    excess = np.maximum(target - draft, 0)
    with np.errstate(invalid="ignore"):
        assert np.isnan(excess / excess.sum()).all()  # the helper of the lesson
    assert dists.residual(target, draft).tolist() == target.tolist()
    path, token = rules.rejection(
        np.stack([target] * 2), Draft(Tree.chain(0, (1,)), np.stack([draft] * 2)), rng=ScriptedRng([u, 0.75])
    )
    assert path == () and token == 1


# --- several tokens ------------------------------------------------------------------------------------

PAIRS = random_pairs(12, 3, 5, rng=NumpyRng(9))
LENGTH = 3


def chained(target, draft, rule):
    return speculate(target, drafters.chain(draft, 2, start=0, end=END), rule, end=END)


def tv(make, target, draft):
    """Total variation of texts of up to three tokens: rounds of two drafts, against the target."""

    def texts(round):
        def text(*, rng):
            steps = decode(round, end=END, max_tokens=LENGTH, rng=rng)
            return tuple(token for step in steps for token in step.tokens)

        return exact.law(text)

    return exact.law_tv(texts(make(target, draft)), texts(ancestral(target)))


ROUND_FAULTS = {
    "staleprefix": (RESIDUAL, "row = dists.left_over(row, draft.q[1])"),
    "residual of the first target row": (RESIDUAL, "row = dists.left_over(p[0], q)"),
    "rows one late": ("node, row = child, p[child]", "node, row = child, p[node]"),
}


@pytest.mark.parametrize("fault", ROUND_FAULTS)
def test_law_of_a_round_with_one_fault(fault):
    broken = mutant(rules.rejection, *ROUND_FAULTS[fault])
    assert [tv(lambda p, q: chained(p, q, rules.rejection), *pair) for pair in PAIRS[:5]] == [0] * 5
    gaps = [tv(lambda p, q: chained(p, q, broken), *pair) for pair in PAIRS]
    assert max(gaps) > 1e-2
    first = [
        exact.law_tv(*(_first(chained(*pair, rule)) for rule in (broken, rules.rejection))) for pair in PAIRS
    ]
    assert max(first) == 0  # a test of the first token alone sees none of them


def _first(round):
    return exact.law(lambda *, rng: round((), rng=rng).tokens[0])


def bonus_of(model):
    """A round whose token after full acceptance comes from `model(target, draft)`."""

    def make(target, draft):
        right = chained(target, draft, rules.rejection)

        def round(prefix, *, rng):
            step = right(prefix, rng=rng)
            if step.accepted < step.drafted or END in step.tokens[:-1]:
                return step
            kept = step.tokens[:-1]
            row = model(target, draft).next_probs((*prefix, *kept))
            return Step((*kept, rng.categorical(row)), step.drafted, step.accepted)

        return round

    return make


def test_law_of_a_bonus_token_from_the_draft():
    assert [tv(bonus_of(lambda target, draft: target), *pair) for pair in PAIRS[:5]] == [0] * 5
    gaps = [tv(bonus_of(lambda target, draft: draft), *pair) for pair in PAIRS]
    assert max(gaps) > 0.1


def test_law_of_a_suffix_kept_after_a_rejection():
    """Target (.5, .5), draft (.8, .2); then both say the word before with .9. Two drafts a round."""
    after = {(0,): tenths(9, 1), (1,): tenths(1, 9)}
    target, draft = TableLM({(): tenths(5, 5)} | after), TableLM({(): tenths(8, 2)} | after)

    def keeps_the_suffix(*, rng):
        first = rng.categorical(draft.next_probs(()))
        second = rng.categorical(draft.next_probs((first,)))
        p, q = target.next_probs(()), draft.next_probs(())
        if not rng.bernoulli(min(1, p[first] / q[first])):
            return rng.categorical(dists.left_over(p, q)), second  # drafted after another word
        p, q = target.next_probs((first,)), draft.next_probs((first,))
        if not rng.bernoulli(min(1, p[second] / q[second])):
            second = rng.categorical(dists.left_over(p, q))
        return first, second

    def drops_the_suffix(*, rng):
        round = speculate(closed, drafters.chain(closed_draft, 2, start=0), rules.rejection, end=-1)
        steps = decode(round, end=None, max_tokens=2, rng=rng)
        return tuple(token for step in steps for token in step.tokens)

    closed, closed_draft = (TableLM(lm._rows, default=tenths(5, 5)) for lm in (target, draft))
    right, wrong = exact.law(drops_the_suffix), exact.law(keeps_the_suffix)
    assert right[1, 0] == Fraction(5, 100) and wrong[1, 0] == Fraction(29, 100)
    plain = {
        (a, b): target.next_probs(())[a] * target.next_probs((a,))[b] for a, b in product(range(2), repeat=2)
    }
    assert exact.law_tv(right, plain) == 0 and exact.law_tv(wrong, plain) == Fraction(24, 100)


def one_uniform(p, draft, *, rng):
    """`rejection` on a chain with one uniform for all its tests."""
    u = rng.uniform()
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        if not u * draft.q[i][x] < p[i - 1][x]:
            return tuple(range(1, i)), rng.categorical(dists.left_over(p[i - 1], draft.q[i]))
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def test_law_of_one_uniform_for_a_whole_round():
    half, sure = tenths(5, 5), tenths(10, 0)
    draft = Draft(Tree.chain(0, (0, 0)), np.stack([sure] * 3))
    both = [
        exact.law(lambda *, rng, rule=rule: len(rule(np.stack([half] * 3), draft, rng=rng)[0]) == 2)[True]
        for rule in (rules.rejection, one_uniform)
    ]
    assert both == [Fraction(1, 4), Fraction(1, 2)]
    gaps = [tv(lambda p, q: chained(p, q, one_uniform), *map(as_floats, pair)) for pair in PAIRS]
    assert max(gaps) > 1e-2
