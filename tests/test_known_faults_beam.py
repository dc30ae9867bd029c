"""Known faults of beam search, by number."""

import math

import numpy as np
import pytest
from decodelab.beam import Hypothesis, beam_search, gnmt, power
from decodelab.models import TableLM, log_prob
from decodelab.variety import diverse_beam

A, B = Hypothesis((1, 0), -2.0, True), Hypothesis((1, 2, 3, 0), -2.4, True)


def best(value, *found):
    return max(found, key=lambda h: value(h.score, h.length))


def test_B30_a_larger_exponent_favours_longer_texts():
    assert best(power(0), A, B) is A
    assert best(power(1), A, B) is B
    assert best(power(-1), A, B) is A
    assert (power(1)(A.score, 2), power(1)(B.score, 4)) == (-1.0, -0.6)


def test_B31_the_prompt_is_not_counted():
    prompt = (1,) * 100
    lm = TableLM({prompt: [0.1, 0.9], (*prompt, 1): [1.0, 0.0]}, default=[0.5, 0.5])
    search = beam_search(lm, 2, end=0, max_tokens=3, prefix=prompt, value=power(1))
    assert [h.length for h in search.hypotheses] == [2, 1]
    assert search.best.score == pytest.approx(log_prob(lm, (1, 0), prompt))


def test_B32_the_end_token_counts_everywhere():
    short, long = Hypothesis((1, 0), -1.0, True), Hypothesis((1, 2, 3, 0), -2.4, True)
    assert best(power(1), short, long) is short  # -.5 against -.6; without the end it would be -1 against -.8
    for h in (short, long):
        assert power(0.7)(h.score, h.length) * h.length**0.7 == pytest.approx(h.score)


def test_B33_each_text_is_divided_by_its_own_length():
    assert best(power(1), A, B) is B
    assert gnmt(1)(A.score, 2) == pytest.approx(-1.714, abs=5e-4)
    assert gnmt(1)(B.score, 4) == pytest.approx(-1.6)


@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_B37_hypotheses_of_a_beam_are_distinct(width):
    lm = TableLM({}, default=[0.0, 0.5, 0.3, 0.2])
    for step in beam_search(lm, width, end=None, max_tokens=3).beams:
        assert len({h.tokens for h in step}) == len(step)
    assert [h.tokens for h in beam_search(lm, 2, end=None, max_tokens=1).hypotheses] == [(1,), (2,)]


def test_B38_impossible_hypotheses_do_not_exist():
    row = np.exp([-0.1, -0.2]) / np.exp([-0.1, -0.2]).sum()
    lm = TableLM({}, default=[*row, 0.0, 0.0, 0.0])
    found = beam_search(lm, 5, end=None, max_tokens=2).hypotheses
    assert [h.tokens for h in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(math.isfinite(h.score) for h in found)


def test_B39_a_beam_may_be_wider_than_the_vocabulary():
    lm = TableLM({}, default=[0.5, 0.3, 0.2])
    search = beam_search(lm, 5, end=None, max_tokens=2)
    assert len(search.beams[0]) == 3
    assert [h.tokens for h in search.hypotheses] == [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0)]
    np.testing.assert_allclose([math.exp(h.score) for h in search.hypotheses], [0.25, 0.15, 0.15, 0.1, 0.1])


def test_B41_the_length_limit_returns_what_there_is_and_a_late_text_can_win():
    lm = TableLM({}, default=[0.0, 0.5, 0.3, 0.2])
    found = beam_search(lm, 2, end=0, max_tokens=2).hypotheses
    assert [(h.tokens, h.finished) for h in found] == [((1, 1), False), ((1, 2), False)]
    early = TableLM({(): [0.3, 0.7], (1,): [0.9, 0.1]}, default=[1.0, 0.0])
    assert beam_search(early, 2, end=0, max_tokens=4).best.tokens == (1, 0)


def test_B42_the_score_is_the_sum_of_the_texts_own_log_probabilities():
    lm = TableLM({(): [0.6, 0.4], (0,): [0.5, 0.5], (1,): [0.1, 0.9]})
    search = beam_search(lm, 2, end=None, max_tokens=2)
    assert search.best.tokens == (1, 1) and search.best.parent == 1
    assert math.exp(search.best.score) == pytest.approx(0.36) and search.best.score == pytest.approx(
        -1.02165, abs=5e-6
    )
    assert math.exp(beam_search(lm, 1, end=None, max_tokens=2).best.score) == pytest.approx(0.30)
    for h in search.hypotheses:
        assert h.score == pytest.approx(log_prob(lm, h.tokens), abs=1e-12)


def test_B43_each_group_has_hypotheses_of_its_own():
    lm = TableLM({(): [0, 0.6, 0.3, 0.1]}, default=[1.0, 0, 0, 0])
    groups = diverse_beam(lm, 1, 2, 1e6, end=0, max_tokens=2)
    assert [len(group) for group in groups] == [1, 1]
    assert groups[0][0].tokens != groups[1][0].tokens
    assert groups[1][0].score == pytest.approx(math.log(0.3))


def test_B29_the_adapter_reads_one_text_at_a_time():
    from decodelab import citygpt
    from decodelab.gpt import as_lm

    lm = as_lm(citygpt.load("target"))
    with pytest.raises(ValueError, match="one prefix at a time"):
        lm.next_probs([(1, 2), (3, 4, 5)])
