"""Set 06: its closed forms against the library, slips told apart, numbers of its prose and of an id."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from decodelab import dists, drafters, exact, explorers, rules
from decodelab.grading import _blocks as blocks
from decodelab.grading import _boxes as boxes
from decodelab.grading import _drafting as drafting
from decodelab.grading import _named as named
from decodelab.grading import _one_draft as one_draft
from decodelab.grading import _recorded as recorded
from decodelab.grading import _round_laws as round_laws
from decodelab.grading import _rounds as rounds
from decodelab.grading import _writing as writing
from decodelab.grading import ex06
from decodelab.grading._laws import chi_square_threshold
from decodelab.grading.answers import judge
from decodelab.models import TableLM
from decodelab.rng import NumpyRng
from decodelab.speculative import speculate
from decodelab.tree import Draft, Tree
from test_exercises import ROOT, code_cells, run_cells

P, Q = one_draft.P, one_draft.Q
IDS = [f"s{i}" for i in range(80)]


@pytest.fixture(scope="module")
def namespace():
    return run_cells(code_cells((ROOT / "solutions/ex06_speculative.md").read_text(encoding="utf-8")))[0]


def tokens_of(law, size=3):
    row = np.zeros(size)
    for (token, _), mass in law.items():
        row[token] += mass
    return row


# --- the closed forms are those of the library ----------------------------------------------------------


def one_round(rule, p, q, x, **parameters):
    """A rule of the library on one drafted token: (token, kept)."""

    def run(*, rng):
        draft = Draft(Tree.chain(0, [x(rng)]), np.stack([np.zeros(len(q)), q]))
        path, token = rule(np.stack([p, p]), draft, rng=rng, **parameters)
        return (draft.tree.tokens[1], True) if path else (token, False)

    return exact.law(run)


def test_one_drafted_token_is_the_librarys():
    for p, q in map(lambda pair: [np.array(row) for row in pair], ex06._PAIRS):
        law = one_round(rules.rejection, p, q, lambda rng, q=q: rng.categorical(q))
        assert named.agree(law, one_draft.verified(tuple(p), tuple(q)))
        assert np.allclose(tokens_of(law, len(p)), p)
    for p, x in recorded._CHOSEN:
        law = one_round(rules.rejection, np.array(p), np.eye(len(p))[x], lambda rng, x=x: x)
        assert named.agree(law, recorded._by_row(p, x))


def test_a_wrong_row_and_top_k_are_the_librarys():
    for p, drawn, told in recorded._RECORDED:
        law = one_round(
            rules.rejection, np.array(p), np.array(told), lambda rng, d=drawn: rng.categorical(np.array(d))
        )
        assert np.allclose(tokens_of(law, len(p)), recorded._told(p, drawn, told))
    for p, q, k in recorded._TOP_K:
        law = one_round(
            rules.top_k, np.array(p), np.array(q), lambda rng, q=q: rng.categorical(np.array(q)), k=k
        )
        assert np.allclose(tokens_of(law, len(p)), recorded._redrawn(q, recorded._top(p, k), p))


@pytest.mark.parametrize(
    "rule, law_of, settings",
    [
        (rules.rejection, round_laws.round_law, rounds._ROUNDS),
        (rules.traversal, blocks.block_law, blocks._BLOCKS),
    ],
    ids=["rejection", "block"],
)
def test_a_round_is_the_librarys(rule, law_of, settings):
    for setting in settings:
        target, draft = TableLM(setting.p), TableLM(setting.q)
        drafter = drafters.chain(draft, setting.gamma, start=0)
        step = speculate(target, drafter, rule, end=99)
        theirs = exact.law(lambda *, rng, step=step, s=setting: step(s.prefix, rng=rng).tokens)
        assert exact.law_tv(theirs, law_of(setting)) < 1e-12


def test_block_verification_keeps_what_its_paper_says_and_never_less():
    kept = [
        [rounds._mean_length(law_of(s)) - 1 for s in blocks._BLOCKS]
        for law_of in (round_laws.round_law, blocks.block_law)
    ]
    assert np.allclose([row[0] for row in kept], [10 / 9, 11 / 9])
    assert np.allclose([row[1] for row in kept], [261 / 400, 143 / 200])
    assert all(a <= b + 1e-12 for a, b in zip(*kept, strict=True)) and kept[1][5] == pytest.approx(kept[0][5])
    setting = blocks._BLOCKS[1]
    clause = "you draw the next token from (p - q)+, it is (a p - q)+"
    wrong = blocks.block_law(setting, **blocks._BLOCK_SLIPS[clause])
    texts = [rounds._texts(law, setting) for law in (wrong, {(): 1.0})]
    assert exact.law_tv(*texts) == pytest.approx(27 / 2200)


def test_where_h_is_0_over_0_any_value_will_do_though_not_all_drafts_are_kept():
    prefixes = [x for n in range(4) for x in itertools.product(range(2), repeat=n)]
    p, q = ({x: last if len(x) == 2 else (0.5, 0.5) for x in prefixes} for last in ((0.2, 0.8), (0.8, 0.2)))
    setting = round_laws.Setting(p, q, (), 3)

    def law(value):
        def kept(chain):
            a, h = blocks._joint(chain), []
            for i in (1, 2):
                total = sum(blocks._excess(chain, i, a[i]))
                h.append(total / (total + (1 - a[i])) if total + (1 - a[i]) > 0 else value)
            return blocks._longest([*h, a[3]])

        return blocks.block_law(setting, kept=kept)

    right = blocks.block_law(setting)
    assert all(exact.law_tv(law(value), right) < 1e-12 for value in (0, 0.37, 1))
    assert rounds._mean_length(right) < 3.9


def test_wrong_rules_have_the_laws_of_the_ledger():
    """spec.wrong.*: accept all, resample, threshold, p and q swapped, a greedy draft with its softmax."""
    rows = {clause: tokens_of(law(P, Q)).round(12).tolist() for clause, law in ex06._TOKEN_SLIPS.items()}
    assert rows["you keep every draft"] == rows["p and q are swapped, in the residual at least"] == list(Q)
    assert rows["after a rejection you draw from p"] == [0.35, 0.39, 0.26]
    assert rows["you keep a draft only where p >= q, else draw from p"] == [0.6, 0.24, 0.16]
    assert np.allclose(recorded._told(P, (0.0, 1.0, 0.0), Q), [0.4, 0.6, 0])
    assert np.allclose(recorded._told((0.3, 0.5, 0.2), (1.0, 0, 0), (0.5, 0.25, 0.25)), [0.6, 0.4, 0])
    assert np.allclose(recorded._told((0.4, 0.4, 0.2), (0.625, 0.375, 0), (0.5, 0.3, 0.2)), [0.5, 0.5, 0])


def test_a_draft_at_another_temperature_is_allowed(namespace):
    p, q = dists.softmax([2, 1, 0]), dists.softmax([2, 1, 0], 1.5)
    assert np.allclose(namespace["law_if_recorded"](p, q, q), p)
    assert np.minimum(p, q).sum() == pytest.approx(0.8975, abs=5e-5)


# --- slips are told apart -------------------------------------------------------------------------------


def laws(slips, cases, law_of):
    return [[law_of(wrong, case) for case in cases] for wrong in slips.values()]


@pytest.mark.parametrize(
    "right, slips, cases, law_of",
    [
        (one_draft.verified, ex06._TOKEN_SLIPS, ex06._PAIRS, lambda f, c: f(*c)),
        (recorded._by_row, recorded._CHOSEN_SLIPS, recorded._CHOSEN, lambda f, c: f(*c)),
        (
            round_laws.round_law,
            round_laws.ROUND_SLIPS,
            rounds._ROUNDS,
            lambda f, c: f(c) if callable(f) else round_laws.round_law(c, **f),
        ),
        (
            blocks.block_law,
            blocks._BLOCK_SLIPS,
            blocks._BLOCKS,
            lambda f, c: f(c) if callable(f) else blocks.block_law(c, **f),
        ),
    ],
    ids=["token", "chosen", "round", "block"],
)
def test_no_two_wrong_laws_are_equal_and_none_is_right(right, slips, cases, law_of):
    everything = laws({"right": right, **slips}, cases, law_of)
    for law in itertools.chain(*everything):
        assert sum(law.values()) == pytest.approx(1)
    for first, second in itertools.combinations(everything, 2):
        assert max(exact.law_tv(a, b) for a, b in zip(first, second, strict=True)) > 1e-3


def test_slips_of_the_loop_are_told_apart():
    texts = {clause: [f(s) for s in writing._SCRIPTS] for clause, f in writing._TEXT_SLIPS.items()}
    texts["right"] = [writing._text(s) for s in writing._SCRIPTS]
    assert all(a != b for a, b in itertools.combinations(texts.values(), 2))
    counts = {
        clause: [writing._count(s, f) for s in writing._SCRIPTS] for clause, f in writing._COUNT_SLIPS.items()
    }
    counts["rounds"] = [len(writing._pieces(s)) for s in writing._SCRIPTS]
    counts["right"] = [writing._count(s) for s in writing._SCRIPTS]
    assert all(a != b for a, b in itertools.combinations(counts.values(), 2))


def test_the_best_length_does_not_hang_on_rounding():
    for alpha, c in drafting._COSTS:
        speeds = sorted((drafting._quick(alpha, g) / (g * c + 1) for g in range(2000)), reverse=True)
        assert speeds[0] - speeds[1] > 1e-9


# --- numbers of an id --------------------------------------------------------------------------------------


def test_every_id_has_a_draft_on_which_slips_differ():
    assert len(drafting.drafts()) > 60 and len({ex06.your_draft(s) for s in IDS}) > 40
    for draft in drafting.drafts():
        right, slips = drafting.speed_slips(draft)
        values = sorted([right, *slips.values()])
        assert all(b - a > 1e-3 * abs(b) for a, b in itertools.pairwise(values))


def test_every_id_has_one_broken_box_that_samples_hardly_show():
    faults = [boxes.fault_of(student) for student in IDS]
    assert len(Counter((f.letter, f.kind) for f in faults)) == 9
    for student, fault in zip(IDS, faults, strict=True):
        tv, needed = boxes.box_slips(fault)[0], boxes.sample_slips(fault)[0]
        mine = ex06.your_boxes(student)
        right, wrong = boxes.laws_of(fault)
        for letter in boxes.LETTERS:
            off = exact.law_tv(exact.law(getattr(mine, letter)), right)
            assert off == pytest.approx(tv if letter == fault.letter else 0, abs=1e-12)
        rows = [np.array([law[text] for text in right]) for law in (wrong, right)]
        assert explorers.samples_needed(*rows, 1e-6) == pytest.approx(needed, rel=1e-6)
        assert 0.003 < tv < 0.006 and explorers.detection(*rows, 5000, 1e-6) < 0.05


def test_a_box_that_is_changed_does_not_change_the_check():
    mine = ex06.your_boxes("ada")
    for row in mine.target.values():
        row[:] = 0
    fault = boxes.fault_of("ada")
    answer = fault.letter, boxes.box_slips(fault)[0]
    assert judge("ex06.broken", answer, student="ada").state == "right"
    assert math.isclose(sum(exact.law(ex06.your_boxes("ada").A).values()), 1)


# --- the prose -------------------------------------------------------------------------------------------


def test_the_numbers_of_one_token_in_the_prose(namespace):
    p, q = namespace["P"], namespace["Q"]
    assert np.minimum(p, q).sum() == pytest.approx(0.7) and namespace["residual"](p, q).tolist() == [1, 0, 0]
    law = exact.law(lambda *, rng: namespace["one_token"](p, q, rng=rng))
    assert np.allclose(tokens_of(law), P)
    told = namespace["law_if_recorded"]
    assert np.allclose(told(p, np.eye(3)[1], q), [0.4, 0.6, 0])
    row, top, whole = np.array([0.4, 0.4, 0.2]), np.array([0.625, 0.375, 0]), np.array([0.5, 0.3, 0.2])
    assert np.minimum(row, top).sum() == pytest.approx(0.775)
    assert (top[:2] * np.minimum(1, row / whole)[:2]).sum() == pytest.approx(0.875)
    assert namespace["top_k_law"](np.array([0.6, 0.4]), np.array([0.5, 0.5]), 1)[0] == pytest.approx(0.8)


def test_the_rounds_in_the_prose(namespace):
    def sure(*tokens):
        return TableLM({tokens[:i]: np.eye(9)[token] for i, token in enumerate(tokens)}, default=np.eye(9)[8])

    for target, right in ((sure(4, 5, 8), (4, 5, 8)), (sure(4, 6, 8), (4, 6))):
        assert namespace["chain_round"](target, sure(4, 5), (), 2, rng=NumpyRng(0)) == right
    blocks_of = {(): (5, 7, 2), (5, 7, 2): (3, 0, 9, 4)}

    def write(max_tokens):
        step = lambda prefix, *, rng: blocks_of[prefix]  # noqa: E731
        return namespace["write"](step, (), end=0, max_tokens=max_tokens, rng=NumpyRng(0))

    assert write(10) == ((5, 7, 2, 3, 0), 4) and write(2) == ((5, 7), 2)


def test_the_lengths_and_bounds_in_the_prose(namespace):
    mean, best = namespace["expected_tokens"], namespace["best_gamma"]
    assert mean(0.8, 4) == pytest.approx(3.3616) and round(100 * (mean(0.8, 8) - 1) / 8) == 42
    assert round(mean(0.8, 4) / 1.4, 2) == 2.40

    def speed(gamma):
        return mean(0.9, gamma) / (0.02 * gamma + 1)

    assert best(0.9, 0.02) == 19 and [round(speed(g), 3) for g in (16, 19)] == [6.312, 6.365]
    assert max((4, 8, 16), key=speed) == 16
    assert [best(a, 0.1) for a in (0.5, 0.7, 0.85)] == [2, 4, 7]
    assert [best(a, 0.05) for a in (0.5, 0.7, 0.85)] == [3, 6, 10]
    bounds = chi_square_threshold(8, 0.05), chi_square_threshold(8)
    assert [round(bound, 1) for bound in bounds] == [15.5, 42.7]
