"""The figure `beam`: its search in JavaScript against `decodelab.beam`, on random models and on ties."""

import json
import math

import numpy as np
import pytest
from decodelab import explorers
from decodelab.beam import beam_search, exhaustive
from decodelab.explorers.beam_steps import EXAMPLE, LastWordLM
from decodelab.models import Counting
from test_explorers import Elements, run_javascript
from test_explorers_rows import scripts

HARNESS = """
const bare = ({ tokens, score, finished }) => ({ tokens, score, finished });
const answer = cases.map(({ rows, width, maxTokens }) => {
  const [, ...steps] = beamSearch(rows, width, maxTokens);
  const { best, count, calls } = exhaustive(rows, maxTokens);
  return { beams: steps.map(({ beam }) => beam.map(bare)), calls: steps.at(-1).calls,
    best: best && bare(best), count, allCalls: calls };
});
"""


def random_models(count):
    """Rows over two to five tokens with zeros; every third model has only equal options, so ties abound."""
    rng = np.random.default_rng(17)
    for i in range(count):
        size = int(rng.integers(2, 6))
        weights = rng.random((size, size)) * (rng.random((size, size)) < 0.75)
        weights[np.arange(size), rng.integers(size, size=size)] += 0.3
        if i % 3 == 0:
            weights = (weights > 0).astype(float)
        yield {
            "rows": (weights / weights.sum(axis=1, keepdims=True)).tolist(),
            "width": int(rng.integers(1, 5)),
            "maxTokens": int(rng.integers(2, 6)),
        }


def same(theirs, ours):
    assert tuple(theirs["tokens"]) == ours.tokens and theirs["finished"] == ours.finished
    assert theirs["score"] == pytest.approx(ours.score, abs=1e-12)


def test_ref_javascript_equals_python_on_random_models():
    cases = [*random_models(600)]
    cases += [{"rows": word_rows(), "width": w, "maxTokens": m} for w in (1, 2, 3, 4) for m in (2, 3, 4, 5)]
    answers = run_javascript(f"const cases = {json.dumps(cases)};\n{scripts('search.js')}\n{HARNESS}")
    for case, theirs in zip(cases, answers, strict=True):
        lm = LastWordLM(case["rows"])
        found = beam_search(lm, case["width"], end=0, max_tokens=case["maxTokens"])
        assert theirs["calls"] == found.calls and len(theirs["beams"]) == len(found.beams)
        for beam, expected in zip(theirs["beams"], found.beams, strict=True):
            for text, hypothesis in zip(beam, expected, strict=True):
                same(text, hypothesis)
        counted = Counting(lm)
        complete = exhaustive(counted, end=0, max_tokens=case["maxTokens"])
        assert (theirs["count"], theirs["allCalls"]) == (len(complete), counted.calls)
        assert (theirs["best"] is None) == (not complete)
        if complete:
            same(theirs["best"], complete[0])


def word_rows():
    return explorers.word_lm()[0].rows.tolist()


def test_ref_an_edited_row_sums_to_one_and_keeps_proportions():
    code = """const answer = [[0, 0.5], [1, 1], [2, 0]].map(([i, x]) => (
      withEntry([0.2, 0, 0.3, 0.5], [0, 2, 3], i, x)));
    answer.push(withEntry([1, 0, 0, 0], [0, 2, 3], 0, 0.5));"""
    first, _, third, alone = run_javascript(scripts("search.js") + code)
    assert first == pytest.approx([0.5, 0, 0.1875, 0.3125])
    assert third == pytest.approx([2 / 7, 0, 0, 5 / 7])
    assert alone == pytest.approx([0.5, 0, 0.25, 0.25])


def test_ref_the_example_has_a_search_error_at_width_two():
    lm, words = explorers.word_lm()
    assert words == (".", "I", "You", "We", "like", "love", "singing")
    found = {width: beam_search(lm, width, end=0, max_tokens=4) for width in (1, 2, 3, 4)}
    best = exhaustive(lm, end=0, max_tokens=4)[0]
    texts = {w: " ".join(words[t] for t in search.best.tokens) for w, search in found.items()}
    assert texts == dict.fromkeys((1, 2), "I like singing .") | dict.fromkeys((3, 4), "We like singing .")
    assert math.exp(found[2].best.score) == pytest.approx(0.096)
    assert math.exp(best.score) == pytest.approx(0.105)
    runner_up = found[2].hypotheses[1]
    assert math.exp(runner_up.score) == pytest.approx(0.08) and len(runner_up.tokens) == 3, "the tie"


def test_prop_the_fallback_tells_the_finished_search():
    figure = explorers.beam()
    assert [row[1] for row in figure.table[1:]] == ["I like singing .", "I love .", "We like singing ."]
    assert figure.table[1][2:] == ("0.096", "-2.3434", "finished")
    assert "the best sentence is “We like singing .”, 0.105." in figure.alt
    assert repr(figure) == "<explorer beam: width=2, max_tokens=4, step=1>"


def test_prop_words_travel_escaped():
    model = {"": {"<b>&": 1.0}, "<b>&": {'"': 0.5, ".": 0.5}, '"': {".": 1.0}}
    figure = explorers.beam(model)
    (attrs,) = Elements(figure._repr_html_()).named(figure.tag)
    assert json.loads(attrs["data-params"])["words"] == [".", "<b>&", '"']


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"width": 0}, "width must be"),
        ({"width": 5}, "width must be"),
        ({"width": 1.5}, "width must be"),
        ({"max_tokens": 6}, "max_tokens must be"),
        ({"step": -1}, "step must be"),
        ({"model": {"I": {".": 1}}}, 'no row for ""'),
        ({"model": {"": {"I": 1.0}}}, "no row for 'I'"),
        ({"model": {"": {"I": 0.7}, "I": {".": 1}}}, r"model\[''\] sums to"),
        ({"model": {"": {".": 1.0}, ".": {".": 1}}}, "nothing follows"),
        (
            {"model": {"": {letter: 1 / 6 for letter in "abcdef"}} | dict.fromkeys("abcdef", {".": 1})},
            "1 to 5",
        ),
        ({"model": EXAMPLE | dict.fromkeys("abcdefgh", {".": 1})}, "7 words"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=words):
        explorers.beam(**arguments)
