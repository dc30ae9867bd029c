"""Set 06: how its checks speak, what they give credit for, and what an answer cannot read or ruin."""

from collections import Counter

import numpy as np
import pytest
from decodelab.grading import CheckFailed, check, ex06
from decodelab.grading import _boxes as boxes
from decodelab.grading import _drafting as drafting
from decodelab.grading._laws import SAMPLES
from decodelab.grading.answers import judge
from decodelab.rng import NumpyRng
from test_exercises import ROOT, answer_of, code_cells, run_cells

IDS = [f"s{i}" for i in range(9)]


@pytest.fixture(scope="module")
def namespace():
    return run_cells(code_cells((ROOT / "solutions/ex06_speculative.md").read_text(encoding="utf-8")))[0]


# --- how the checks speak --------------------------------------------------------------------------------


def test_a_law_that_is_right_with_fewer_drafts_earns_a_part():
    for stem in (
        "one_token__match",
        "chain_round__match",
        "chain_round__bonus_missing",
        "block_verify__rejection",
    ):
        name, answer, _, _ = answer_of(ROOT / f"tests/mutants/ex06/{stem}.py")
        assert judge(name, answer).credit == 0.5


def _target_alone(target, draft, prefix, gamma, *, rng):
    return (rng.categorical(target.next_probs(prefix)),)


def _two_of_the_target(target, draft, prefix, gamma, *, rng):
    first = (rng.categorical(target.next_probs(prefix)),)
    return (*first, rng.categorical(target.next_probs(prefix + first))) if gamma else first


def _sampled_alone(target, draft, prefix, gamma, *, rng):
    float(rng.uniform())
    return _target_alone(target, draft, prefix, gamma, rng=rng)


def _match_after_nothing(target, draft, prefix, gamma, *, rng):
    """Sample and match, but always after the empty prefix."""
    new = ()
    while len(new) < gamma:
        x, new = rng.categorical(draft.next_probs(new)), (*new, rng.categorical(target.next_probs(new)))
        if x != new[-1]:
            return new
    return (*new, rng.categorical(target.next_probs(new)))


@pytest.mark.parametrize(
    "name, answer",
    [
        ("chain_round", _target_alone),
        ("chain_round", _two_of_the_target),
        ("chain_round", _sampled_alone),
        ("chain_round", _match_after_nothing),
        ("block_verify", lambda p, q, tokens, *, rng: (0, rng.categorical(p[0]))),
        ("one_token", lambda p, q, *, rng: (rng.categorical(p), True)),
        ("one_token", lambda p, q, *, rng: (rng.categorical(p), False)),
        ("one_token", lambda p, q, *, rng: (rng.categorical(p), rng.bernoulli(0.5))),
        ("chosen_token", lambda p, x, *, rng: (rng.categorical(p), True)),
    ],
)
def test_a_line_without_a_draft_earns_nothing(name, answer):
    verdict = judge(f"ex06.{name}", answer)
    assert (verdict.state, verdict.credit) == ("wrong", 0)


def test_a_part_is_earned_by_all_cases_of_a_sampled_answer_too():
    name, answer, _, _ = answer_of(ROOT / "tests/mutants/ex06/chain_round__sampled_match.py")
    assert judge(name, answer).credit == 0.5


def test_boxes_hold_nothing_but_their_rows():
    for student in IDS:
        fault, mine = boxes.fault_of(student), ex06.your_boxes(student)
        for box in (getattr(mine, letter) for letter in boxes.LETTERS):
            assert box.__name__ == box.__qualname__ == "box" and not box.__defaults__
            cells = [cell.cell_contents for cell in box.__closure__]
            assert all(type(cell) is dict and cell in (fault.p, fault.q) for cell in cells)


def test_a_box_of_the_page_need_not_stand_out():
    """The page says that the largest chi-square need not be that of the broken box."""
    shown = []
    for student in IDS[:6]:
        mine, fault = ex06.your_boxes(student), boxes.fault_of(student)
        right, _ = boxes.laws_of(fault)
        sizes = {}
        for letter in boxes.LETTERS:
            rng = NumpyRng(1)
            counts = Counter(getattr(mine, letter)(rng=rng) for _ in range(5000))
            sizes[letter] = sum((counts[t] - 5000 * m) ** 2 / (5000 * m) for t, m in right.items())
        shown.append(max(sizes, key=sizes.get) == fault.letter)
        assert sizes[fault.letter] < 42.7
    assert not all(shown)


def test_the_number_of_an_id_is_not_found_by_halving():
    """A wrong number is not right, whatever it is; the letter is not told apart from the number."""
    right, speed = boxes.fault_of("ada"), drafting.speed_slips(ex06.your_draft("ada"))[0]
    tv, needed = boxes.box_slips(right)[0], boxes.sample_slips(right)[0]
    for factor in (0.3, 0.97, 1.02, 7.3):
        for letter in boxes.LETTERS:
            given = factor * tv
            sentence = judge("ex06.broken", (letter, given), student="ada").sentence
            assert sentence == f'the pair ("{letter}", {given!r}) is not right'
        for task, value in (("best_speed", speed * factor), ("samples", needed * factor)):
            assert judge(f"ex06.{task}", value, student="ada").sentence == f"{task} = {value!r} is not right"
    verdict = judge("ex06.best_speed", speed * 1.0004, student="ada")
    assert verdict.sentence.endswith(" is not right: rounded too far")


def test_words_that_would_mislead():
    def drafts(p, q, tokens, *, rng):
        return 0, rng.categorical(q[0])

    def adds(target, draft, prefix, gamma, *, rng):
        return rng + 1

    def calls(round, prefix, *, end, max_tokens, rng):
        return round + 1

    assert "after the tokens () you give token" in judge("ex06.block_verify", drafts).sentence
    assert "operand type(s) for +: 'rng' and 'int'" in judge("ex06.chain_round", adds).sentence
    assert "operand type(s) for +: 'round' and 'int'" in judge("ex06.write", calls).sentence


def test_a_sampled_answer_is_told_how_it_is_wrong_and_is_not_run_for_ever():
    runs = Counter()

    def one_token(p, q, *, rng):
        runs[p.tobytes() + q.tobytes()] += 1
        x = int(np.argmax(np.log(q + 1e-300) - np.log(-np.log(rng.uniform(len(q)).clip(1e-300, 1 - 2**-53)))))
        return x, True

    sentence = judge("ex06.one_token", one_token).sentence
    assert "in 20,000 runs, token 0 gets .30" in sentence and "too little (you .19" in sentence
    assert sum(count >= SAMPLES for count in runs.values()) == 1


def test_a_right_sampled_answer_is_run_often_in_one_case_that_can_tell():
    runs = Counter()

    def accept(p, q, *, rng):
        runs[p, q] += 1
        return float(rng.uniform()) < p / q

    verdict = judge("ex06.accept", accept)
    assert verdict.state == "right" and "500 samples of each further case" in verdict.sentence
    assert [pair for pair, count in runs.items() if count >= SAMPLES] == [(0.3, 0.5)]
    assert sum(count >= 500 for count in runs.values()) == 5


def test_ruined_models_and_rows_are_caught_and_do_no_harm(namespace):
    def vandal(target, draft, prefix, gamma, *, rng):
        for model in (target, draft):
            for row in vars(model)["_rows"].values():
                row[:] = 0
        return (0,)

    def scribbler(p, q, tokens, *, rng):
        p[:] = 1
        return 0, 0

    for name, bad in (("chain_round", vandal), ("block_verify", scribbler)):
        with pytest.raises(CheckFailed):
            check(f"ex06.{name}", bad)
        check(f"ex06.{name}", namespace[name])
