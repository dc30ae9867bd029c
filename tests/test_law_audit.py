"""`exact.audit`: passes every exact rule in every form, and says in words what is wrong with broken ones."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from decodelab import dists, drafters, exact, rules
from decodelab.dists import left_over
from decodelab.exact.report import number
from decodelab.models import TableLM, Warped, random_pairs
from decodelab.rng import NumpyRng
from decodelab.tree import Draft, Tree
from mutate import mutant
from verifiers import (
    inverse_cdf,
    said,
    with_draws,
    with_random,
    with_torch,
    with_torch_scalars,
    with_uniforms,
)

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)


def audit(rule, **options):
    return exact.audit(rule, rng=NumpyRng(3), **options)


def always(*row):
    return TableLM({}, default=row)


RUNNING = [(always(*P), always(*Q))]
EQUAL = [(lm, lm) for lm in (always(*P),)]


FORMS = {
    "draws": (exact.from_rows(with_draws), "run", Fraction),
    "random()": (exact.from_random(with_random), "lazy uniforms", Fraction),
    "array of uniforms": (exact.from_uniforms(with_uniforms), "lazy uniforms", Fraction),
    "torch": (exact.from_torch(with_torch), "lazy uniforms", float),
    "torch, one at a time": (exact.from_torch(with_torch_scalars), "lazy uniforms", float),
}


@pytest.mark.parametrize("form", FORMS)
def test_law_of_the_rejection_rule_in_every_form(form):
    rule, way, kind = FORMS[form]
    found = audit(rule)
    assert found.exact and found.way == way, found
    assert isinstance(found.tv, kind) and found.tv <= (0 if kind is Fraction else 1e-12)
    assert not found.edges and not found.lost and not found.notes, found
    assert found.case is None and found.error is None
    assert found.counts.accepted == pytest.approx(found.counts.by_rejection, abs=1e-12)
    how = "exactly" if kind is Fraction else "up to rounding"
    assert said(found).startswith(f"The distribution is kept in all {found.cases} cases, {how}. Way: {way}.")


@pytest.mark.parametrize("shape", [1, 3])
@pytest.mark.parametrize("form", ["draws", "array of uniforms", "torch"])
def test_law_of_shorter_and_longer_chains(form, shape):
    found = audit(FORMS[form][0], shape=shape)
    assert found.exact and not found.edges and not found.lost, found


@pytest.mark.parametrize("shape", [(2,), (2, 1), (1, 2), (3, 1)], ids=str)
@pytest.mark.parametrize("drafter", [drafters.with_replacement, drafters.without_replacement])
@pytest.mark.parametrize("rule", [rules.rejection, rules.traversal])
def test_law_of_exact_rules_on_trees(rule, drafter, shape):
    found = audit(rule, drafter=drafter, shape=shape)
    assert found.exact and found.way == "run" and found.tv == 0, found
    assert not found.edges and not found.lost, found


def test_law_of_chosen_drafts_is_kept_and_slower():
    found = audit(rules.rejection, drafter=drafters.chosen, shape=(1, 1))
    assert found.exact and not found.edges
    assert len(found.lost) == 1 and "the drafter chooses its tokens" in found.lost[0]
    found = audit(
        rules.rejection, drafter=drafters.chosen, shape=(3,)
    )  # chooses every token: nothing is lost
    assert found.exact and not found.lost


def test_law_of_match_is_kept_and_keeps_less():
    found = audit(rules.match)
    assert found.exact and found.tv == 0 and not found.edges
    slower, own = found.lost
    assert re.fullmatch(r"of the same drafts it keeps \d\d % less than the rejection rule", slower)
    assert re.fullmatch(r"with draft = target only \d\d % of the drafts are kept, not all", own)
    found = audit(rules.match, pairs=[*RUNNING, *EQUAL], shape=1)
    assert found.counts.own == pytest.approx(0.5**2 + 0.3**2 + 0.2**2)
    assert found.counts.accepted == pytest.approx((0.31 + 0.38) / 2)  # sum p*q, sum p*p


def test_law_of_greedy_is_that_of_greedy_targets():
    found = audit(rules.greedy)
    assert not found.exact and "token 0 gets 1 in place of .5" in said(found)
    pairs = [
        (Warped(target, dists.greedy), draft) for target, draft in random_pairs(10, 3, 3, rng=NumpyRng(4))
    ]
    found = audit(rules.greedy, pairs=pairs)
    assert found.exact and found.tv == 0 and not found.edges, found


def test_count_block_verification_keeps_more():
    found = audit(rules.traversal)
    assert found.exact and found.counts.accepted > found.counts.by_rejection
    assert "% more than the rejection rule" in said(found)


# --- broken rules ---------------------------------------------------------------------------------------


def both_swapped(p, q, tokens, *, rng):
    return with_draws(np.concatenate([q, p[-1:]]), p[:-1], tokens, rng=rng)


def row_too_late(p, q, tokens, *, rng):
    return with_draws(np.concatenate([p[1:], p[-1:]]), q, tokens, rng=rng)


def first_draft_row(p, q, tokens, *, rng):
    for i, x in enumerate(tokens):
        if not rng.bernoulli(min(1, p[i, x] / q[i, x])):
            return [*tokens[:i], rng.categorical(left_over(p[i], q[0]))]
    return [*tokens, rng.categorical(p[-1])]


def one_uniform(p, q, tokens, random):
    u = random()
    return with_random(p, q, tokens, lambda: u)


def four_bits(p, q, tokens, random):
    return with_random(p, q, tokens, lambda: math.floor(random() * 16) / 16)


def softmaxed_greedy(lm, gamma, *, start, end):
    """A greedy draft, recorded with the row it was not drawn from."""

    def drafter(prefix, *, rng):
        tokens, rows = [], []
        for _ in range(gamma):
            rows.append(lm.next_probs((*prefix, *tokens)))
            tokens.append(int(np.argmax(rows[-1])))
        root = prefix[-1] if prefix else start
        return Draft(Tree.chain(root, tokens), np.stack([rows[0] * 0, *rows]))

    return drafter


def cut_after_recording(lm, gamma, *, start, end):
    """Drawn from the two likeliest tokens, recorded with the row before the cut."""

    def drafter(prefix, *, rng):
        tokens, rows = [], []
        for _ in range(gamma):
            rows.append(lm.next_probs((*prefix, *tokens)))
            tokens.append(rng.categorical(dists.top_k(rows[-1], 2)))
        root = prefix[-1] if prefix else start
        return Draft(Tree.chain(root, tokens), np.stack([rows[0] * 0, *rows]))

    return drafter


# what breaks rules.rejection or rules.traversal: (rule, old, new, shape)
EDITS = {
    "resampled from the target": (rules.rejection, "row = dists.left_over(row, q)", "row = row", 2),
    "all accepted": (rules.rejection, "rng.bernoulli(min(1, row[x] / q[x]))", "True", 2),
    "accepted where p >= q": (rules.rejection, "rng.bernoulli(min(1, row[x] / q[x]))", "row[x] >= q[x]", 2),
    "residual of the first row": (rules.rejection, "dists.left_over(row, q)", "dists.left_over(p[0], q)", 2),
    "residual the wrong way": (rules.rejection, "dists.left_over(row, q)", "dists.left_over(q, row)", 2),
    "bonus from the row before": (rules.rejection, "child, p[child]", "child, p[node]", 2),
    "siblings tested on p": (
        rules.rejection,
        "row = dists.left_over(row, q)",
        "row = row if children else dists.left_over(row, q)",
        (2,),
    ),
    "path ratio forgotten": (rules.traversal, "min(1, a * row[x] / q[x])", "min(1, row[x] / q[x])", 2),
    "rejection's residual": (
        rules.traversal,
        "row = left / total if total > 0 else row",
        "row = dists.left_over(row, q)",
        2,
    ),
    "one draw for all": (rules.match, "rng.categorical(p[node])", "rng.categorical(p[0])", 2),
}
WRITTEN = {
    "p and q swapped": (exact.from_rows(both_swapped), {}),
    "rows one too late": (exact.from_rows(row_too_late), {}),
    "residual with the first draft row": (exact.from_rows(first_draft_row), {}),
    "one uniform for all decisions": (exact.from_random(one_uniform), {}),
    "uniforms of four bits": (exact.from_random(four_bits), {"shape": 1}),
    "greedy draft, softmax row": (rules.rejection, {"drafter": softmaxed_greedy}),
    "row from before top-k": (rules.rejection, {"drafter": cut_after_recording}),
}


def broken(name):
    if name in WRITTEN:
        rule, options = WRITTEN[name]
        return audit(rule, **options)
    rule, old, new, shape = EDITS[name]
    drafter = drafters.chain if shape == 2 else drafters.with_replacement
    return audit(mutant(rule, old, new), drafter=drafter, shape=shape)


@pytest.mark.parametrize("name", [*EDITS, *WRITTEN])
def test_law_of_a_broken_rule_is_not_kept(name):
    found = broken(name)
    assert not found.exact and found.error is None and found.tv > 1e-3, found
    assert found.way == ("lazy uniforms" if "uniform" in name else "run")
    assert dists.tv(found.case.p, found.case.law) > 1e-3
    assert max(map(len, str(found).splitlines())) <= 80
    lines = said(found).splitlines()
    assert lines[0].startswith("The distribution is not kept: total variation ")
    assert lines[1].startswith("For example, with p = (") and "in place of" in lines[1]


RIGHT_NUMBERS = {
    "resampled from the target": ((".35", ".39", ".26"), "token 0 gets .35 in place of .5"),
    "all accepted": ((".2", ".5", ".3"), "token 0 gets .2 in place of .5"),
    "p and q swapped": ((".08", ".58", ".34"), "token 0 gets .08 in place of .5"),
    "accepted where p >= q": (("1", "0", "0"), "token 0 gets 1 in place of .5"),
}


@pytest.mark.parametrize("name", RIGHT_NUMBERS)
def test_law_shown_is_that_of_the_running_pair(name):
    row, sentence = RIGHT_NUMBERS[name]
    found = broken(name)
    assert (found.case.pair, found.case.prefix, found.case.emitted) == (0, (), ())
    assert tuple(map(number, found.case.law)) == row
    assert f"with p = (.5, .3, .2) and q = (.2, .5, .3), {sentence}." in said(found)


def test_law_shown_is_the_place_in_the_round_where_it_fails():
    found = broken("bonus from the row before")
    assert found.case.pair > 0  # the running pair has one row everywhere
    assert len(found.case.emitted) > 0 and "in texts that begin with token" in said(found)


def test_count_broken_rules_often_look_faster():
    found = broken("all accepted")
    assert found.counts.accepted == found.counts.drafted == 2 and found.counts.tokens == 3
    assert "% more than the rejection rule: a benchmark shows a gain." in said(found)
    assert not found.lost


@pytest.mark.parametrize("form", ["draws", "torch"])
def test_law_of_suffixes_that_are_kept_is_refused(form):
    def keeps_suffix(p, q, tokens, *random, **rng):
        """Replaces a refused token and goes on with the drafts behind it."""
        emitted = (with_draws if rng else with_torch)(p, q, tokens, *random, **rng)
        return [*map(int, emitted), *map(int, tokens[len(emitted) :])]

    found = audit((exact.from_rows if form == "draws" else exact.from_torch)(keeps_suffix))
    assert not found.exact and found.tv != found.tv
    assert (
        "ValueError: emitted" in found.error and "all but its last token must be drafted ones" in found.error
    )
    assert "trace of draws [" in found.error and "with p = (.5, .3, .2) and q = (.2, .5, .3)" in found.error


# --- what a law does not see ----------------------------------------------------------------------------


def without_bonus(p, q, tokens, *, rng):
    emitted = with_draws(p, q, tokens, rng=rng)
    return emitted[: len(tokens)]


def test_count_a_missing_bonus_token_keeps_the_law_and_is_named():
    found = audit(exact.from_rows(without_bonus))
    assert found.exact and found.tv == 0 and not found.edges
    assert "the bonus token is missing" in found.lost[0]
    assert len(found.lost) == 3 and found.counts.own == 0.5 and not found.counts.whole
    assert "Lost: no draft is kept whole and followed" in said(found)


def test_count_a_drafter_that_draws_less_than_it_may_is_not_blamed():
    def shorter(lm, gamma, *, start, end):
        return drafters.chain(lm, gamma - 1, start=start, end=end)

    found = audit(rules.rejection, drafter=shorter, shape=3)
    assert found.exact and found.counts.whole and not found.lost and found.counts.drafted == 2


def stale(lm, gamma, *, start, end):
    """A drafter that does not see the last committed token, and records what it really draws from."""
    inner = drafters.chain(lm, gamma, start=start, end=end)

    def drafter(prefix, *, rng):
        draft = inner(prefix[:-1], rng=rng)
        root = prefix[-1] if prefix else start
        return Draft(Tree.chain(root, draft.tree.tokens[1:]), draft.q)

    return drafter


def test_count_a_drafter_with_a_stale_prefix_keeps_the_law_and_is_named():
    found = audit(rules.rejection, drafter=stale)
    assert found.exact and found.tv == 0
    assert len(found.lost) == 1 and "(after a stale prefix, say)" in found.lost[0]
    assert found.counts.own == found.counts.own_by_rejection < 1


def test_count_averages_are_those_worked_out_by_hand():
    found = audit(rules.rejection, pairs=RUNNING, shape=1)
    assert found.counts.accepted == found.counts.by_rejection == pytest.approx(0.7)
    assert found.counts.own is None and found.counts.tokens == pytest.approx(1.7)
    p, q = ([Fraction(n, 3) for n in row] for row in ((1, 2), (2, 1)))
    found = audit(rules.traversal, pairs=[(always(*p), always(*q))])
    assert (found.counts.accepted, found.counts.by_rejection) == (
        pytest.approx(11 / 9),
        pytest.approx(10 / 9),
    )


EDGE_FAULTS = {
    "u <= p/q": (
        lambda p, q, i, x, random: random() <= p[i, x] / q[i, x],
        left_over,
        "with p = (0, .6, .4), q = (1, 0, 0) and the draft 0: token 0 of target probability 0 is emitted "
        "(draws 0, 0, 0)",
    ),
    "zero residual, uniform": (
        lambda p, q, i, x, random: random() * q[i, x] < p[i, x],
        lambda p, q: left_over(p, q) if (p > q).any() else np.full(len(p), 1 / len(p)),
        "(equal up to rounding) and the draft 1: token 2 of target probability 0 is emitted "
        "(draws 0, 1 - 2^-53, 1 - 2^-53)",
    ),
    "zero residual, 0/0": (
        lambda p, q, i, x, random: random() * q[i, x] < p[i, x],
        lambda p, q: np.maximum(p - q, 0) / np.maximum(p - q, 0).sum(),
        "(equal up to rounding) and the draft 1: IndexError: index -1 is out of bounds",
    ),
}


@pytest.mark.parametrize("name", EDGE_FAULTS)
def test_law_has_no_place_for_the_edges_of_u_and_the_audit_tries_them(name):
    accepted, residual, sentence = EDGE_FAULTS[name]

    def rule(p, q, tokens, random):
        for i, x in enumerate(tokens):
            if not accepted(p, q, i, x, random):
                return [*tokens[:i], inverse_cdf(residual(p[i], q[i]), random())]
        return [*tokens, inverse_cdf(p[-1], random())]

    found = audit(exact.from_random(rule))
    assert found.exact and found.way == "lazy uniforms", found
    assert any(sentence in edge for edge in found.edges), found.edges
    assert f"Edge: {found.edges[0]}." in said(found)


def searching(side):
    """The rejection rule with an inverse CDF that trusts the last sum to be 1."""

    def rule(p, q, tokens, random):
        p, q = p.astype(float), q.astype(float)
        for i, x in enumerate(tokens):
            if not random() * q[i, x] < p[i, x]:
                row = left_over(p[i], q[i])
                return [*tokens[:i], np.searchsorted(np.cumsum(row), random(), side=side)]
        return [*tokens, np.searchsorted(np.cumsum(p[-1]), random(), side=side)]

    return exact.from_random(rule)


def test_law_of_an_inverse_cdf_that_goes_wrong_at_either_end():
    found = audit(searching("left"))
    assert found.exact and any("token 0 of target probability 0 is emitted" in edge for edge in found.edges)
    found = audit(searching("right"))
    top, rounded = found.edges
    assert found.exact and "the token 3 is not an id in [0, 3) (draws 0, 0, 1 - 2^-53)" in top
    assert re.match(
        r"in a branch of mass \de-1\d, with p = .*: ValueError: the token 3 is not an id", rounded
    )


def test_law_edges_are_tried_on_siblings_too():
    broken_rule = mutant(
        rules.rejection, "rng.bernoulli(min(1, row[x] / q[x]))", "rng.uniform() <= row[x] / q[x]"
    )
    found = audit(broken_rule, drafter=drafters.with_replacement, shape=(2,))
    assert found.exact and found.way == "lazy uniforms" and len(found.edges) == 3


# --- faults that small vocabularies and dense rows hide ------------------------------------------------


def residual_with(change):
    """The rejection rule, its residual changed before it is divided by its sum."""

    def verify(p, q, tokens, *, rng):
        for i, x in enumerate(tokens):
            if not rng.bernoulli(min(1, p[i, x] / q[i, x])):
                left = change(np.maximum(p[i] - q[i], 0 * p[i]), p[i], q[i])
                return [*tokens[:i], rng.categorical(left / left.sum())]
        return [*tokens, rng.categorical(p[-1])]

    return exact.from_rows(verify)


def zero(row, where):
    return np.where(where, row * 0, row)


def top_two(left, p, q):
    return zero(left, np.argsort(np.argsort(-left, kind="stable"), kind="stable") >= 2)


HIDING = {
    "cut to its top 2": top_two,
    "small entries dropped": lambda left, p, q: zero(left, left < 1e-3),
    "rare drafts taken for none": lambda left, p, q: zero(left, (q < 0.03) & (p < 0.1)),
    "a small residual replaced by p": lambda left, p, q: p if left.sum() < 0.02 else left,
    "p where the last token is impossible": lambda left, p, q: p if p[-1] == 0 else left,
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", HIDING)
def test_law_of_faults_that_need_wide_close_or_impossible_rows(name, seed):
    found = exact.audit(residual_with(HIDING[name]), rng=NumpyRng(seed))
    assert not found.exact and found.error is None, found


def test_a_fault_of_a_hundred_thousandth_is_told_with_digits_that_differ():
    def verify(p, q, tokens, *, rng):
        for i, x in enumerate(tokens):
            if not rng.bernoulli(min(1, p[i, x] / (q[i, x] + 1e-5))):
                return [*tokens[:i], rng.categorical(left_over(p[i], q[i]))]
        return [*tokens, rng.categorical(p[-1])]

    found = audit(exact.from_rows(verify))
    gets, due = re.search(r"gets (\S+) in place of (\S+)\.", said(found)).groups()
    assert not found.exact and gets != due
    assert not re.search(r"\b0 % (more|less)", said(found)) and "only 100 %" not in said(found)


def uniform_pair(size):
    draft = np.concatenate([np.full(size // 2, 1.5 / size), np.full(size - size // 2, 0.5 / size)])
    return [(always(*np.full(size, 1 / size)), always(*draft))]


def test_law_of_everything_accepted_over_many_tokens_is_not_kept_by_sampling_either():
    def verify(p, q, tokens, random):
        math.log(random() + 1)  # cannot be enumerated
        return [*tokens, inverse_cdf(p[-1].astype(float), random())]

    found = audit(exact.from_random(verify), shape=1, pairs=uniform_pair(100), samples=2000)
    assert found.way == "statistical" and not found.exact, found
    few = audit(exact.from_random(verify), shape=1, pairs=uniform_pair(300), samples=100)
    assert not few.exact and "too few for rows of 300 tokens" in said(few)


def test_sampling_takes_all_pairs_of_the_caller_and_is_no_proof():
    def verify(p, q, tokens, random):
        math.log(random() + 1)
        return with_random(p, q, tokens, random)

    def broken(p, q, tokens, random):
        math.log(random() + 1)
        return (
            [*tokens, inverse_cdf(p[-1].astype(float), random())]
            if len(p[0]) == 2
            else verify(p, q, tokens, random)
        )

    easy, bad = RUNNING[0], (always(0.5, 0.5), always(0.1, 0.9))
    found = audit(exact.from_random(broken), shape=1, pairs=[easy] * 5 + [bad], samples=500)
    assert not found.exact and found.cases == 6
    right = audit(exact.from_random(verify), shape=1, pairs=[easy], samples=500)
    assert right.exact and not right.proved
    assert audit(rules.rejection).proved


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shape": 2.5}, "shape must be a number of drafted tokens"),
        ({"shape": "2"}, "shape must be a number of drafted tokens"),
        ({"shape": 100}, "shape = 100 is too deep"),
        ({"samples": 2.5}, "samples must be a whole number of at least 1, got 2.5"),
        ({"rng": np.random.default_rng(0)}, "rng must be a source of draws such as NumpyRng"),
        ({"pairs": [np.ones(2)]}, r"pairs\[0\] must be two models"),
        ({"pairs": [(always(0.5, 0.5), always(*P))]}, "must share one vocabulary, got 2 and 3 tokens"),
        ({"pairs": [(always(*np.full(400, 1 / 400)),) * 2]}, r"400 tokens, so 400\^3 texts"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        exact.audit(rules.rejection, **{"rng": NumpyRng(0), **options})


def test_code_that_wants_a_numpy_generator_is_told_what_to_do():
    found = audit(exact.from_rows(lambda p, q, tokens, *, rng: [*tokens, int(rng.integers(3))]))
    assert not found.exact and "no integers: wrap code" in said(found)


def test_a_drafter_that_sometimes_drafts_nothing_can_be_audited():
    def shy(lm, gamma, *, start, end=None):
        full, none = (drafters.chain(lm, n, start=start, end=end) for n in (gamma, 0))
        return lambda prefix, *, rng: full(prefix, rng=rng) if prefix else none(prefix, rng=rng)

    assert audit(rules.rejection, drafter=shy, shape=1).exact
