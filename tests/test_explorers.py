"""The live figures: their laws against running the decoders, their JavaScript against their Python."""

import json
import math
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pytest
from decodelab import dists, exact, explorers
from decodelab.explorers import base, detect, how_many
from decodelab.rng import NumpyRng, pick
from scipy import stats

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
EXACT_P = np.array([Fraction(x, 10) for x in (5, 3, 2)], dtype=object)
EXACT_Q = np.array([Fraction(x, 10) for x in (2, 5, 3)], dtype=object)
CUTOFFS = (0.05, 1e-6)
KINDS = (
    "samples",
    "beam",
    "shaping",
    "language",
    "roofline",
    "rewind",
    "verification",
    "museum_samples",
)


# --- the decoders, as anyone would write them ---------------------------------------------------------


def rejection(p, q, *, rng):
    token = rng.categorical(q)
    if rng.bernoulli(min(1, p[token] / q[token])):
        return token
    return rng.categorical(dists.residual(p, q))


def redraw(p, q, *, rng):
    token = rng.categorical(q)
    if rng.bernoulli(min(1, p[token] / q[token])):
        return token
    return rng.categorical(p)


def redraw_another(p, q, *, rng):
    token = rng.categorical(q)
    if rng.bernoulli(min(1, p[token] / q[token])):
        return token
    return rng.categorical(dists.normalise(np.where(np.arange(len(p)) == token, 0, p)))


def byte_uniform(p, q, *, rng):
    return pick(p, math.floor(256 * rng.uniform()) / 256)


CLOSED_FORMS = [
    (rejection, detect.law_rejection),
    (redraw, detect.law_redraw),
    (redraw_another, detect.law_redraw_another),
    (byte_uniform, lambda p, q: detect.law_byte_uniform(p)),
]


def random_rows(count, seed=5):
    """Pairs of rows of three tokens; every third draft has a zero, every fifth equals its target."""
    uniform = NumpyRng(seed).uniform((count, 2, 3))
    weights = -np.log(1 - uniform)
    weights[::3, 1, 0] = 0
    p, q = np.moveaxis(weights / weights.sum(axis=-1, keepdims=True), 1, 0)
    q[::5] = p[::5]
    return list(zip(p, q, strict=True))


@pytest.mark.parametrize(("decoder", "closed_form"), CLOSED_FORMS)
def test_law_closed_forms_equal_running_the_decoders(decoder, closed_form):
    for p, q in [(np.array(P), np.array(Q)), *random_rows(30)]:
        run = exact.as_row(exact.law(lambda *, rng, p=p, q=q: decoder(p, q, rng=rng)), 3)
        assert dists.tv(run.astype(float), closed_form(p, q)) < 1e-12


def test_law_rejection_is_the_target_and_the_bugs_are_not():
    assert (detect.law_rejection(EXACT_P, EXACT_Q) == EXACT_P).all()
    assert detect.law_redraw(P, Q) == pytest.approx([0.35, 0.39, 0.26])
    assert detect.law_redraw_another(EXACT_P, EXACT_Q)[0] == Fraction(227, 560)
    assert (256 * detect.law_byte_uniform(P)).tolist() == [128, 77, 51]
    distances = [dists.tv(how_many.broken_law(bug, P, Q), np.array(P)) for bug in how_many.BUGS]
    assert distances == pytest.approx([0.15, 0.0946429, 0.00078125])


def test_law_a_draft_equal_to_the_target_hides_two_of_the_bugs():
    same = detect.nearer(Q, P, 1.0)
    assert same.tolist() == list(P)
    assert detect.samples_needed(detect.law_redraw(P, same), P, 0.05) == math.inf
    assert detect.detection(detect.law_redraw_another(P, same), P, 10**8, 0.05) == pytest.approx(0.05)


# --- the test's chances -------------------------------------------------------------------------------


def exact_chance(law, p, n, cutoff):
    """Sum the multinomial masses of every table of counts that the test flags."""
    first, second = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    keep = first + second <= n
    counts = np.stack([first[keep], second[keep], n - first[keep] - second[keep]], axis=-1)
    statistic = ((counts - n * p) ** 2 / (n * p)).sum(axis=-1)
    return stats.multinomial.pmf(counts, n, law)[statistic > -2 * math.log(cutoff)].sum()


@pytest.mark.parametrize(("n", "bound"), [(10, 0.04), (100, 0.02), (500, 0.012)])
def test_ref_detection_is_near_the_exact_multinomial_chance(n, bound):
    p = np.array(P)
    for law in (p, detect.law_redraw(P, Q), detect.law_redraw_another(P, Q)):
        for cutoff in CUTOFFS:
            gap = detect.detection(law, p, n, cutoff) - exact_chance(law, p, n, cutoff)
            assert abs(gap) < bound


def test_ref_samples_needed_inverts_detection():
    for bug in how_many.BUGS:
        for cutoff in CUTOFFS:
            law = how_many.broken_law(bug, P, Q)
            n = detect.samples_needed(law, P, cutoff)
            assert detect.detection(law, P, n, cutoff) == pytest.approx(0.5, abs=1e-9)


# --- JavaScript ---------------------------------------------------------------------------------------

HARNESS = """
const BUGS = { redraw: lawRedraw, another: lawRedrawAnother, byte: lawByteUniform };
const answer = cases.map(({ p, q, t, n, cutoff, bug }) => {
  const near = nearer(q, p, t);
  const law = BUGS[bug](p, near);
  const needed = samplesNeeded(law, p, cutoff);
  return { right: lawRejection(p, near), law, tv: totalVariation(law, p), shift: shift(law, p),
    power: detection(law, p, n, cutoff), needed: needed === Infinity ? -1 : needed };
});
"""


def run_javascript(code):
    """Return the value of the constant `answer`; run in node, else in Chromium, else skip."""
    node = shutil.which("node")
    if node:
        code += "\nconsole.log(JSON.stringify(answer));"
        run = subprocess.run([node, "-"], input=code, capture_output=True, encoding="utf-8", timeout=60)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if not chromium:
        pytest.skip("neither node nor Chromium is installed: the JavaScript is not tested")
    sync_api = pytest.importorskip("playwright.sync_api", reason="node and playwright are missing")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        answer = browser.new_page().evaluate(f"() => {{ {code}\nreturn answer; }}")
        browser.close()
    return answer


def random_cases(count):
    rng = np.random.default_rng(11)
    bugs = list(how_many.BUGS)
    return [
        {
            "p": p.tolist(),
            "q": q.tolist(),
            "t": float(rng.choice([0, 1, rng.random()], p=[0.2, 0.1, 0.7])),
            "n": float(round(10 ** rng.uniform(1, 8))),
            "cutoff": CUTOFFS[int(rng.integers(2))],
            "bug": bugs[int(rng.integers(3))],
        }
        for p, q in random_rows(count, seed=13)
    ]


def python_answer(case):
    p, near = np.array(case["p"]), detect.nearer(case["q"], case["p"], case["t"])
    law = how_many.broken_law(case["bug"], p, near)
    needed = detect.samples_needed(law, p, case["cutoff"])
    return {
        "right": detect.law_rejection(p, near),
        "law": law,
        "tv": dists.tv(law, p),
        "shift": detect.shift(law, p),
        "power": detect.detection(law, p, case["n"], case["cutoff"]),
        "needed": -1 if needed == math.inf else needed,
    }


def test_ref_javascript_equals_python_on_a_thousand_random_rows():
    cases = random_cases(1000)
    files = resources.files("decodelab.explorers")
    maths = "\n".join(
        files.joinpath(name).read_text(encoding="utf-8") for name in ("measures.js", "maths.js")
    )
    answers = run_javascript(f"const cases = {json.dumps(cases)};\n{maths}\n{HARNESS}")
    assert len(answers) == 1000
    for case, theirs in zip(cases, answers, strict=True):
        for key, ours in python_answer(case).items():
            close = theirs[key] == pytest.approx(ours, rel=1e-7, abs=1e-10)
            assert close, f"{key}: JavaScript {theirs[key]}, Python {ours}, for {case}"


# --- the element --------------------------------------------------------------------------------------


class Elements(HTMLParser):
    """Collects what stands outside the script: the light part of the figure."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def named(self, tag):
        return [attrs for name, attrs in self.found if name == tag]


@pytest.mark.parametrize("kind", KINDS)
def test_prop_equal_calls_give_equal_bytes_and_the_tag_follows_the_source(kind, monkeypatch):
    figure = getattr(explorers, kind)()
    assert figure._repr_html_() == getattr(explorers, kind)()._repr_html_()
    tag, edited = figure.tag, base.source(kind) + "// edited"
    assert re.fullmatch(rf"decodelab-{kind}-[0-9a-f]{{10}}", tag)
    monkeypatch.setattr(base, "source", lambda name: edited)
    assert figure.tag != tag


@pytest.mark.parametrize("kind", KINDS)
def test_prop_the_fallback_is_complete_and_nothing_is_loaded(kind):
    text = getattr(explorers, kind)()._repr_html_()
    light = Elements(text)
    (image,) = light.named("img")
    assert image["src"].startswith("data:image/png;base64,") and len(image["alt"]) > 50
    assert "dataframe" in light.named("table")[0]["class"].split()
    assert not any("id" in attrs for _, attrs in light.found)
    assert light.named("script") == [{"type": "module"}]
    assert not re.search(r"https?:|\bimport\b|\bfetch\(|url\(", text)
    assert not re.search("0x[0-9a-fA-F]{6,}", text), "tools/nbval_sanitize.cfg would take it for an address"
    assert len(text) < 40_000
    assert len(base.source(kind)) < 20_000, "script and style of one figure stay small"


def test_prop_parameters_travel_escaped():
    figure = explorers.Explorer("samples", {"note": "\"><script>'&"}, b"", 'a "quoted" alt', (("a",),))
    light = Elements(figure._repr_html_())
    (attrs,) = light.named(figure.tag)
    assert json.loads(attrs["data-params"]) == {"note": "\"><script>'&"}
    assert light.named("img")[0]["alt"] == 'a "quoted" alt'


def test_prop_text_form_is_one_clean_line():
    assert repr(explorers.samples(n=200)).startswith("<explorer samples: p=[0.5, 0.3, 0.2], q=[0.2, 0.5")
    assert "0x" not in repr(explorers.samples()) and "\n" not in repr(explorers.samples())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"p": (0.5, 0.5)}, "p must have three entries"),
        ({"p": (0.5, 0.5, 0)}, "p must be positive"),
        ({"q": (0.5, 0.3, 0.3)}, "q"),
        ({"n": 3}, "n must lie between"),
        ({"t": 1.5}, "t must lie in"),
        ({"bug": "none"}, "bug must be one of"),
        ({"cutoff": 0.1}, "cutoff must be"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        explorers.samples(**arguments)


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize(("theme", "ground"), [("light", "#ffffff"), ("dark", "#16191d")])
def test_prop_marks_stand_out_from_the_page(theme, ground):
    for role, colour in explorers.palette(theme).items():
        low, high = sorted([luminance(colour), luminance(ground)])
        assert role == "grid" or (high + 0.05) / (low + 0.05) >= 3, (role, colour)


def test_prop_importing_the_figures_loads_neither_torch_nor_pyplot():
    code = "import sys, decodelab.explorers; print('torch' in sys.modules, 'matplotlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.split() == ["False", "False"]
