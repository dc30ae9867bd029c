"""The figure `museum_samples`: its faults against running the exhibits, its JavaScript against its Python."""

import json
import math
import re
from fractions import Fraction
from functools import partial
from importlib import resources

import numpy as np
import pytest
from decodelab import dists, drafters, exact, explorers, power, rules
from decodelab.explorers import detect, fault_rows, fault_samples
from decodelab.explorers.fault_rows import FAULTS, fault
from decodelab.models import TableLM
from decodelab.museum import drafts
from decodelab.museum import rules as broken
from decodelab.speculative import speculate
from mutate import mutant
from test_explorers import run_javascript
from test_explorers_verification import random_rows

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
CUTOFFS = (0.05, 1e-6)


def likelier_then_residual(p, draft, *, rng):
    """The exhibit `accepts_what_is_likelier` with the right residual, which does not mend it."""
    if p[0][draft.tree.tokens[1]] < draft.q[1][draft.tree.tokens[1]]:
        return (), rng.categorical(dists.left_over(p[0], draft.q[1]))
    return (1,), rng.categorical(p[-1])


EXHIBITS = {  # the functions that are run: rule, and drafter where it is not a chain
    "draws_from_the_target_again": (broken.draws_from_the_target_again,),
    "accepts_everything": (broken.accepts_everything,),
    "accepts_what_is_likelier": (broken.accepts_what_is_likelier,),
    "likelier_then_residual": (likelier_then_residual,),
    "ratio_upside_down": (broken.ratio_upside_down,),
    "likeliest_token_first": (broken.likeliest_token_first,),
    "likeliest_recorded_as_drawn": (rules.rejection, drafts.likeliest_recorded_as_drawn),
    "row_before_the_cut": (rules.rejection, drafts.row_before_the_cut),
    "top_k": (partial(rules.top_k, k=1),),
    "lenient": (partial(rules.lenient, leniency=0.5),),
    "typical_acceptance": (partial(rules.typical_acceptance, epsilon=0.09, delta=0.3),),
}


def run(p, q, rule, drafter=drafters.chain):
    """The law of the first token of a round with one draft, and the mean number of accepted ones."""
    target, draft = TableLM({}, default=p), TableLM({}, default=q)
    round = speculate(target, drafter(draft, 1, start=0), rule, end=-1)

    def first(*, rng):
        step = round((), rng=rng)
        return step.tokens[0], step.accepted

    masses = exact.law(first)
    law = np.array([masses.get((x, 0), 0) + masses.get((x, 1), 0) for x in range(len(p))])
    return law, sum(mass for (_, accepted), mass in masses.items() if accepted)


def gap(name, answer):
    gaps = []
    for p, q in [(np.array(P), np.array(Q)), *random_rows(40)]:
        law, accepted = run(p, q, *EXHIBITS[name])
        ours = answer(p, q)
        gaps += [np.abs(law - ours.law).max(), abs(accepted - ours.acceptance)]
    return max(gaps)


@pytest.mark.parametrize("name", EXHIBITS)
def test_law_faults_equal_running_the_exhibit(name):
    assert gap(name, lambda p, q: fault(name, p, q)) < 1e-12


def test_law_exchanged_models_give_the_drafts_law():
    """The drafter runs the large model and the small one judges: rejection is exact, for the wrong one."""
    for p, q in random_rows(20):
        law, accepted = run(q, p, rules.rejection)
        ours = fault("models_exchanged", p, q)
        assert law == pytest.approx(ours.law, abs=1e-12) and dists.tv(ours.law, q) == 0
        assert accepted == pytest.approx(ours.acceptance, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "function", "old", "new"),
    [
        ("accepts_what_is_likelier", "_likelier", "np.where(p >= q", "np.where(p > 2 * q"),
        ("ratio_upside_down", "_upside_down", "residual(q, p)", "residual(p, q)"),
        ("likeliest_token_first", "_likeliest_first", "q * first", "first"),
    ],
)
def test_law_a_wrong_row_does_not_pass(name, function, old, new):
    wrong = mutant(getattr(fault_rows, function), old, new)
    arguments = (lambda p: (p,)) if name == "accepts_what_is_likelier" else (lambda p: ())
    assert gap(name, lambda p, q: wrong(p, q, *arguments(p))) > 1e-3


def test_law_a_wrong_record_does_not_pass():
    wrong = mutant(fault_rows._recorded, "dists.residual(p, q)", "dists.residual(p, drafted)")
    assert gap("row_before_the_cut", lambda p, q: wrong(p, q, dists.top_k(q, 2))) > 1e-3


@pytest.mark.parametrize(
    ("name", "law", "acceptance", "right"),
    [
        ("draws_from_the_target_again", (35, 39, 26), 70, 70),
        ("accepts_everything", (20, 50, 30), 100, 70),
        ("accepts_what_is_likelier", (60, 24, 16), 20, 70),
        ("likelier_then_residual", (100, 0, 0), 20, 70),
        ("ratio_upside_down", (8, 58, 34), 88, 70),
        ("models_exchanged", (20, 50, 30), 70, 70),
        ("likeliest_token_first", (100, 0, 0), 20, 70),
        ("likeliest_recorded_as_drawn", (40, 60, 0), 60, 30),
        ("row_before_the_cut", (37.5, 37.5, 25), 62.5, 50),
        ("top_k", (60, 24, 16), 20, 70),
        ("lenient", (20, 50, 30), 100, 70),
        ("typical_acceptance", (20, 50, 30), 100, 70),
    ],
)
def test_ref_faults_on_the_running_pair(name, law, acceptance, right):
    seen = fault(name, P, Q)
    assert seen.law * 100 == pytest.approx(law)
    assert (100 * seen.acceptance, 100 * seen.right) == pytest.approx((acceptance, right))


def test_B48_and_B49_in_fractions():
    p, q = (np.array([Fraction(n, 10) for n in row], dtype=object) for row in ((4, 4, 2), (5, 3, 2)))
    seen = fault("row_before_the_cut", p, q)
    assert seen.law.tolist() == [Fraction(1, 2), Fraction(1, 2), 0]
    assert (seen.acceptance, seen.right) == (Fraction(7, 8), Fraction(31, 40))
    seen = fault("likeliest_recorded_as_drawn", (0.3, 0.5, 0.2), (0.5, 0.25, 0.25))
    assert seen.law == pytest.approx([0.6, 0.4, 0]) and seen.right == pytest.approx(0.3)


def test_law_a_draft_equal_to_the_target_hides_some_faults_and_shows_others():
    hidden = {name for name in FAULTS if dists.tv(fault(name, P, P).law, np.array(P)) < 1e-12}
    shown = {"likeliest_token_first", "likeliest_recorded_as_drawn", "row_before_the_cut", "top_k"}
    assert hidden == set(FAULTS) - shown


# --- JavaScript -----------------------------------------------------------------------------------------

HARNESS = """
const answer = cases.map(({ name, p, q, t, n, cutoff }) => {
  const near = nearer(q, p, t);
  const { law, acceptance, right } = shown(name, p, near);
  const needed = samplesNeeded(law, p, cutoff);
  return { law, acceptance, right, tv: totalVariation(law, p), power: detection(law, p, n, cutoff),
    needed: needed === Infinity ? -1 : needed };
});
"""
SCRIPTS = ("measures.js", "maths.js", "verify_row.js", "fault_rows.js")


def scripts():
    files = resources.files("decodelab.explorers")
    return "\n".join(files.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)


def random_cases(count):
    rng = np.random.default_rng(21)
    for i in range(count):
        p, q = rng.dirichlet((2, 2, 2), size=2)
        if i % 3 == 1:
            p, q = (1 + rng.multinomial(7, (1 / 3,) * 3)) / 10, rng.multinomial(10, (1 / 3,) * 3) / 10
        yield {
            "name": list(FAULTS)[i % len(FAULTS)],
            "p": p.tolist(),
            "q": q.tolist(),
            "t": float(rng.choice([0, 1, rng.integers(0, 21) / 20], p=[0.3, 0.1, 0.6])),
            "n": float(round(10 ** rng.uniform(1, 8))),
            "cutoff": CUTOFFS[int(rng.integers(2))],
        }


def python_answer(case):
    p, near = np.array(case["p"]), detect.nearer(case["q"], case["p"], case["t"])
    seen = fault(case["name"], p, near)
    needed = power.samples_needed(seen.law, p, case["cutoff"])
    return {
        "law": seen.law,
        "acceptance": seen.acceptance,
        "right": seen.right,
        "tv": dists.tv(seen.law, p),
        "power": power.detection(seen.law, p, case["n"], case["cutoff"]),
        "needed": -1 if needed == math.inf else needed,
    }


def test_ref_javascript_equals_python_on_a_thousand_random_rows():
    cases = list(random_cases(1000))
    answers = run_javascript(f"const cases = {json.dumps(cases)};\n{scripts()}\n{HARNESS}")
    assert len(answers) == 1000
    for case, theirs in zip(cases, answers, strict=True):
        for key, ours in python_answer(case).items():
            close = theirs[key] == pytest.approx(ours, rel=1e-7, abs=1e-10)
            assert close, f"{key}: JavaScript {theirs[key]}, Python {ours}, for {case}"


def test_ref_both_languages_name_the_same_faults():
    assert run_javascript(f"{scripts()}\nconst answer = Object.keys(FAULTS);") == list(FAULTS)
    figure = resources.files("decodelab.explorers").joinpath("museum_samples.js").read_text(encoding="utf-8")
    named = re.search(r"const NAMES = (\{.*?\});", figure, flags=re.DOTALL)[1]
    assert run_javascript(f"const answer = {named};") == fault_samples.TITLES
    assert list(fault_samples.TITLES) == list(FAULTS)


# --- the fallback ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_prop_the_fallback_has_a_line_for_every_fault(name):
    figure = explorers.museum_samples(fault=name, n=1000)
    head, *lines = figure.table
    assert len(lines) == len(FAULTS) and all(len(line) == len(head) for line in lines)
    (line,) = [line for line in lines if line[0] == fault_samples.TITLES[name]]
    seen = fault(name, P, Q)
    assert line[1:4] == tuple(f"{x:.4f}" for x in seen.law)
    assert line[-1] == f"{math.ceil(power.samples_needed(seen.law, P, 1e-6)):,}"
    assert f"{power.detection(seen.law, P, 1000, 1e-6):.3f}" in figure.alt
    assert json.dumps(figure.params)  # goes to the page as JSON


def test_prop_no_number_of_samples_finds_a_fault_that_a_good_draft_hides():
    table = {line[0]: line[-1] for line in explorers.museum_samples(t=1.0).table}
    assert table["Accept everything"] == "none is enough"
    assert table["Greedy draft, softmax recorded"] != "none is enough"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"fault": "none"}, "fault must be one of draws_from"),
        ({"p": (0.5, 0.5, 0)}, "p must be positive"),
        ({"q": (0.5, 0.5)}, "q must have three entries"),
        ({"n": 3}, "n must lie between"),
        ({"t": 1.5}, "t must lie in"),
        ({"cutoff": 0.1}, "cutoff must be"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        explorers.museum_samples(**arguments)
