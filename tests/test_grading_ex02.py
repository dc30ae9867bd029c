"""Set 02: numbers of its prose, numbers of an id, and what its checks give away."""

import itertools
import math

import pytest
from decodelab import beam
from decodelab.grading import CheckFailed, check
from decodelab.grading import _beams as beams
from decodelab.grading.ex02 import your_model
from test_exercises import ROOT, code_cells, run_cells

IDS = [f"s{i}" for i in range(80)]


@pytest.fixture(scope="module")
def namespace():
    return run_cells(code_cells((ROOT / "solutions/ex02_beam.md").read_text(encoding="utf-8")))[0]


def test_every_id_has_a_model_on_which_width_2_fails_and_slips_differ():
    models = {student: beams.students_rows(student) for student in IDS}
    assert len({tuple(rows[()].tolist()) for rows in models.values()}) > 40
    for student, rows in models.items():
        lm, numbers = your_model(student), beams.numbers_of(rows)
        best = beam.exhaustive(lm, end=0, max_tokens=4)[0]
        found = beam.beam_search(lm, 2, end=0, max_tokens=4).best
        assert math.isclose(numbers["best"], math.exp(best.score)) and found.finished
        assert math.isclose(beams.search_error_of(numbers), best.score - found.score)
        for right, slips in (
            (numbers["best"], beams.best_slips(numbers)),
            (beams.search_error_of(numbers), beams.error_slips(numbers)),
        ):
            values = sorted([right, *slips.values()])
            assert all(b - a > 1e-3 * abs(b) for a, b in itertools.pairwise(values)), (student, values)


def test_the_reference_beam_is_the_librarys():
    for seed, width, end in itertools.product(range(12), (1, 2, 3, 5), (0, 2)):
        rows = beams.context_rows(seed, -2)
        mine = beams.beams_of(rows, width, end, 4)[-1]
        theirs = beam.beam_search(beams.as_model(rows), width, end=end, max_tokens=4).hypotheses
        assert [tokens for tokens, _ in mine] == [h.tokens for h in theirs]
        assert all(math.isclose(s, h.score) for (_, s), h in zip(mine, theirs, strict=True))


def test_the_numbers_in_the_prose(namespace):
    slide, step = namespace["slide"], namespace["beam_step"]
    texts = namespace["greedy_texts"](slide, end=0, max_tokens=3)
    assert {text: round(mass, 6) for text, mass in texts.items()} == {(1, 2, 4): 0.096, (1, 3, 4): 0.08}
    first = step(slide, [((), 0.0)], 2, end=0)
    second = step(slide, first, 2, end=0)
    assert [t for t, _ in first] == [(1,), (2,)] and [t for t, _ in second] == [(2, 0), (1, 2)]
    calls = namespace["most_calls"]
    assert calls(4, 10, 50_000) == 37 and [calls(4, t, 3) - calls(4, t - 1, 3) for t in (1, 2, 3, 4)] == [
        1,
        2,
        4,
        4,
    ]
    for best, ratio in ((math.log(0.35), 0.59), (-8, 0.018)):
        assert float(f"{math.exp(-namespace['gap_in_nats'](1.5, best)):.2g}") == ratio
    assert round(1.5 * math.log(0.35), 4) == -1.5747
    scene = namespace["scene"]
    assert scene.type == "scene" and scene.tokens not in [h.tokens for h in namespace["found"]]


def test_a_ruined_beam_or_model_is_caught_and_does_no_harm(namespace):
    def vandal(lm, hypotheses, width, *, end):
        for row in vars(lm)["_rows"].values():
            row[:] = 0
        hypotheses.clear()
        return []

    with pytest.raises(CheckFailed):
        check("ex02.beam_step", vandal)
    check("ex02.beam_step", namespace["beam_step"])
