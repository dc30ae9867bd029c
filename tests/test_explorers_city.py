"""The figure `language`: its laws against `exact.sentence_law`, its JavaScript against its Python."""

import json
import math

import numpy as np
import pytest
from decodelab import city, exact, explorers
from decodelab.explorers import city_dots
from decodelab.explorers.reshape import FIRSTS, reshaped
from decodelab.models import Warped
from decodelab.sampling import ancestral
from test_explorers import run_javascript
from test_explorers_rows import scripts

NAMED = [
    {},
    {"T": 0},
    {"T": 0.5},
    {"T": 2, "k": 3},
    {"mass": 0.9, "first": "truncation", "T": 0.7},
    {"k": 6, "mass": 0.8, "ratio": 0.3, "T": 1.5},
]
HARNESS = """
const sentences = listSentences(grammar);
const p = sentenceLaw(grammar, sentences, { T: 1, k: 11, mass: 1, ratio: 0, first: 'temperature' });
const answer = { texts: sentences.map((one) => one.text), p, standings: strategies.map((strategy) => {
  const q = sentenceLaw(grammar, sentences, strategy);
  const s = standing(p, q, sentences, 4);
  return { ...s, kl: s.kl === Infinity ? -1 : s.kl, some: q.filter((_, i) => i % 50 === 0) };
}) };
"""


def test_ref_the_grammar_is_the_language():
    probs = dict(zip(city_dots.texts(), city_dots.law(), strict=True))
    assert len(probs) == 9127 and len(city_dots.grammar()) == 43
    assert probs == pytest.approx({s.text: float(s.prob) for s in city.sentences()}, abs=1e-15)
    tokens = [city.encode(text) for text in city_dots.texts()]
    assert tokens == sorted(tokens), "arcs must stand in the order of their tokens: ties go to the lowest id"


@pytest.mark.parametrize("strategy", NAMED)
def test_law_of_sentences_equals_the_merged_law_of_the_warped_oracle(strategy):
    strategist = Warped(city.oracle(), lambda row: reshaped(row, **strategy))
    merged = exact.sentence_law(ancestral(strategist)).probs
    found = dict(zip(map(city.encode, city_dots.texts()), city_dots.law(**strategy), strict=True))
    assert {tokens for tokens, mass in found.items() if mass > 0} == set(merged)
    assert max(abs(found[tokens] - mass) for tokens, mass in merged.items()) < 1e-12


def test_law_of_a_row_is_the_same_without_the_words_that_cannot_come():
    """Ties included: every row of the oracle, on a grid of strategies."""
    oracle = city.oracle()
    rows = {row.tobytes(): row for row in map(oracle.next_probs, city.prefixes())}
    full = np.stack(list(rows.values()))
    rng = np.random.default_rng(8)
    for _ in range(300):
        strategy = {
            "T": float(rng.choice([0, 0.5, 0.7, 1, 1.3, 2])),
            "k": int(rng.integers(1, 12)),
            "mass": float(rng.integers(0, 21) / 20),
            "ratio": float(rng.choice([0, 0, 0.1, 0.25, 0.5, 1])),
            "first": str(rng.choice(FIRSTS)),
        }
        mapped = reshaped(full, **strategy)
        for row, expected in zip(full, mapped, strict=True):
            short = reshaped(row[row > 0], **strategy)
            assert short == pytest.approx(expected[row > 0], abs=1e-12), strategy


def test_law_facts_of_temperature():
    facts = {0.5: (7.8417397, 0.732441), 0.7: (7.3938202, 0.521078), 1.5: (6.2674949, 0.236239)}
    for T, (entropy, scenes) in {**facts, 1: (6.7958748, 0.35), 2: (6.0029939, 0.189525)}.items():
        stands = city_dots.standing(city_dots.law(T=T))
        assert stands["entropy"] == pytest.approx(entropy, abs=5e-8)
        assert stands["shares"][2] == pytest.approx(scenes, abs=5e-7)
        assert stands["left"] == 9127 and stands["lost"] == 0


def test_law_a_lost_sentence_makes_the_divergence_infinite():
    stands = city_dots.standing(city_dots.law(k=10))
    assert stands["left"] < 9127 and stands["lost"] > 0 and stands["kl"] == math.inf
    assert city_dots.standing(city_dots.law(T=0))["left"] == 1


def strategies(count):
    rng = np.random.default_rng(21)
    for _ in range(count):
        yield {
            "T": float(rng.choice([0, 1, rng.integers(1, 41) / 20])),
            "k": int(rng.choice([11, rng.integers(1, 12)])),
            "mass": float(rng.choice([1, rng.integers(0, 101) / 100])),
            "ratio": float(rng.choice([0, rng.integers(0, 101) / 100])),
            "first": str(rng.choice(FIRSTS)),
        }


def test_ref_javascript_equals_python_on_random_strategies():
    asked = [{"T": 1, "k": 11, "mass": 1, "ratio": 0, "first": "temperature"} | named for named in NAMED]
    asked += strategies(150)
    code = f"const grammar = {json.dumps(city_dots.grammar())}, strategies = {json.dumps(asked)};\n"
    answer = run_javascript(code + scripts("rows.js", "sentences.js") + HARNESS)
    assert answer["texts"] == list(city_dots.texts())
    assert answer["p"] == pytest.approx(city_dots.law(), abs=1e-15)
    for strategy, theirs in zip(asked, answer["standings"], strict=True):
        q = city_dots.law(**strategy)
        ours = city_dots.standing(q)
        assert theirs["left"] == ours["left"], strategy
        assert theirs["some"] == pytest.approx(q[::50], abs=1e-12), strategy
        assert theirs["shares"] == pytest.approx(ours["shares"], abs=1e-9)
        for key in ("entropy", "lost"):
            assert theirs[key] == pytest.approx(ours[key], abs=1e-9), strategy
        assert theirs["kl"] == pytest.approx(-1 if ours["kl"] == math.inf else ours["kl"], abs=1e-9)


def test_prop_the_fallback_says_what_the_figure_shows():
    figure = explorers.language(T=0.5, k=4)
    assert figure.table[1][1:5] == ("6.7959", "9,127", "0.0000", "0.0800")
    assert figure.table[2][3] == "infinite"
    assert "sentences are removed" in figure.alt
    assert repr(figure) == "<explorer language: T=0.5, k=4, mass=1.0, ratio=0.0, first=temperature>"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"T": 3}, "T must lie"),
        ({"k": 12}, "k must be"),
        ({"mass": -1}, "mass"),
        ({"first": ""}, "first must"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=words):
        explorers.language(**arguments)
