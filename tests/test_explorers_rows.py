"""The figure `shaping`: its maps in JavaScript against `dists`, ties and edges included, and its fallback."""

import json
from importlib import resources

import numpy as np
import pytest
from decodelab import dists, explorers
from decodelab.explorers.reshape import FIRSTS, reshaped
from test_explorers import Elements, run_javascript

HARNESS = """
const answer = cases.map(({ p, logits, strategy }) => {
  const q = reshaped(p, strategy);
  const divergence = kl(p, q);
  return { soft: softmax(logits, strategy.T), q, entropy: entropy(q), tv: tv(p, q),
    kl: divergence === Infinity ? -1 : divergence };
});
"""


def scripts(*names):
    files = resources.files("decodelab.explorers")
    return "\n".join(files.joinpath(name).read_text(encoding="utf-8") for name in names)


def case(p, logits, **strategy):
    return {"p": list(map(float, p)), "logits": list(map(float, logits)), "strategy": strategy}


def random_cases(count):
    """Rows of any numbers under any strategy."""
    rng = np.random.default_rng(3)
    for _ in range(count):
        size = int(rng.integers(2, 13))
        logits = rng.normal(size=size) * rng.choice([0.3, 2, 6])
        yield case(
            dists.softmax(logits),
            logits,
            T=float(rng.choice([0, 1, rng.uniform(0.05, 2)], p=[0.1, 0.2, 0.7])),
            k=int(rng.integers(1, size + 1)),
            mass=float(rng.choice([0, 1, rng.random()], p=[0.1, 0.2, 0.7])),
            ratio=float(rng.choice([0, 1, rng.random()], p=[0.3, 0.1, 0.6])),
            first=str(rng.choice(FIRSTS)),
        )


def tied_cases(count):
    """Rows of tenths, twelfths and twentieths, zeros among them, whose sums meet the bound exactly."""
    rng = np.random.default_rng(4)
    for _ in range(count):
        size, parts = int(rng.integers(2, 11)), int(rng.choice([8, 10, 12, 20]))
        p = rng.multinomial(parts, np.full(size, 1 / size)) / parts
        yield case(
            p,
            rng.integers(0, 3, size),
            T=float(rng.choice([0, 1])),
            k=int(rng.integers(1, size + 1)),
            mass=float(rng.integers(0, 21) / 20),
            ratio=float(rng.choice([0, 0.25, 0.5, 1])),
            first=str(rng.choice(FIRSTS)),
        )


@pytest.mark.parametrize("cases", [random_cases(1000), tied_cases(1000)])
def test_ref_javascript_equals_dists_on_a_thousand_rows(cases):
    cases = list(cases)
    answers = run_javascript(f"const cases = {json.dumps(cases)};\n{scripts('rows.js')}\n{HARNESS}")
    for given, theirs in zip(cases, answers, strict=True):
        p, strategy = np.array(given["p"]), given["strategy"]
        q = reshaped(p, **strategy)
        assert [x > 0 for x in theirs["q"]] == (q > 0).tolist(), given
        assert theirs["q"] == pytest.approx(q, abs=1e-12), given
        assert theirs["soft"] == pytest.approx(dists.softmax(given["logits"], strategy["T"]), abs=1e-12)
        assert theirs["entropy"] == pytest.approx(float(dists.entropy(q)), abs=1e-12)
        assert theirs["tv"] == pytest.approx(float(dists.tv(p, q)), abs=1e-12)
        divergence = float(dists.kl(p, q))
        assert theirs["kl"] == pytest.approx(-1 if divergence == np.inf else divergence, abs=1e-9)


def test_ref_a_strategy_is_its_maps_one_after_the_other():
    p = dists.softmax([3, 2, 1, 0, -1, -2])
    cut = dists.min_p(dists.top_p(dists.top_k(dists.temperature(p, 1.5), 4), 0.9), 0.2)
    assert reshaped(p, T=1.5, k=4, mass=0.9, ratio=0.2) == pytest.approx(cut, abs=1e-15)
    swapped = dists.temperature(dists.min_p(dists.top_p(dists.top_k(p, 4), 0.9), 0.2), 1.5)
    both = reshaped(p, T=1.5, k=4, mass=0.9, ratio=0.2, first="truncation")
    assert both == pytest.approx(swapped, abs=1e-15)
    assert reshaped(p) == pytest.approx(p, abs=1e-15)
    with pytest.raises(ValueError, match="first must be"):
        reshaped(p, first="neither")


def test_law_the_order_decides_between_one_token_and_two():
    for logits in ((3, 2, 1), (3, 2, 1, 0, -1, -2)):
        rows = {first: reshaped(dists.softmax(logits), T=0.5, mass=0.8, first=first) for first in FIRSTS}
        assert [int((rows[first] > 0).sum()) for first in FIRSTS] == [1, 2]


def test_prop_the_fallback_shows_both_orders():
    figure = explorers.shaping((3, 2, 1))
    table = [list(row) for row in figure.table]
    assert table[2][0] == "temperature first" and table[2][1:4] == ["1.0000", "removed", "removed"]
    assert table[3][0] == "truncation first" and table[3][1:4] == ["0.8808", "0.1192", "removed"]
    assert "truncation first, the row is (0.8808, 0.1192, 0.0000)" in figure.alt
    (image,) = Elements(figure._repr_html_()).named("img")
    assert image["src"].startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"logits": (1, 2)}, "logits must be"),
        ({"logits": (1, 2, 9)}, "logits must be"),
        ({"logits": (1, 2, float("nan"))}, "logits must be"),
        ({"T": -1}, "T must lie"),
        ({"T": float("nan")}, "T must lie"),
        ({"k": 0}, "k must be"),
        ({"k": 7}, "k must be"),
        ({"k": True}, "k must be"),
        ({"mass": 1.2}, "mass must lie"),
        ({"ratio": -0.1}, "ratio must lie"),
        ({"first": "both"}, "first must be"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=words):
        explorers.shaping(**arguments)
