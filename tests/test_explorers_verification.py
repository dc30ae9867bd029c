"""The figure `verification`: its rows against running every rule, its JavaScript against its Python."""

import json
import math
from fractions import Fraction
from functools import partial
from importlib import resources

import numpy as np
import pytest
from decodelab import dists, exact, explorers, rules, speculative
from decodelab.explorers import verify_row
from decodelab.explorers.verify_row import RULES, dragged, outcome
from decodelab.museum import rules as broken
from decodelab.tree import Draft, Tree
from mutate import mutant
from test_explorers import Elements, run_javascript

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
FOUR_P, FOUR_Q = (0.5, 0.3, 0.15, 0.05), (0.2, 0.3, 0.3, 0.2)
SETTINGS = {"k": 2, "leniency": 0.6, "epsilon": 0.25, "delta": 0.4}
REAL = {  # the rules of the library, with the parameters of SETTINGS
    "rejection": rules.rejection,
    "match": rules.match,
    "top_k": partial(rules.top_k, k=2),
    "lenient": partial(rules.lenient, leniency=0.6),
    "typical_acceptance": partial(rules.typical_acceptance, epsilon=0.25, delta=0.4),
    "redraw": broken.draws_from_the_target_again,
    "accept_all": broken.accepts_everything,
}


def random_rows(count, seed=2):
    """Pairs of rows of three or four tokens; zeros in some, equal pairs and disjoint ones among them."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        p, q = rng.dirichlet(np.full(3 + i % 2, rng.choice([0.4, 1, 3])), size=2)
        if i % 5 == 1:
            p, q = np.round(p, 1), np.round(q, 1)  # ties and zeros
        if i % 7 == 2:
            q = p
        if i % 11 == 3:
            p, q = np.eye(len(p))[i % 3], np.eye(len(p))[(i + 1) % 3]
        if p.sum() > 0 and q.sum() > 0:
            yield p / p.sum(), q / q.sum()


def run(rule, p, q):
    """What a rule does to one drafted token, by enumeration: mass kept (V,), mass emitted (V,)."""

    def round(*, rng):
        x = rng.categorical(q)
        draft = Draft(Tree.chain(0, (x,)), np.stack([q, q]))
        path, token = rule(np.stack([p, p]), draft, rng=rng)
        return (bool(path), x if path else token)

    masses = exact.law(round)
    kept = [masses.get((True, x), 0) for x in range(len(p))]
    return np.array(kept), np.array([mass + masses.get((False, x), 0) for x, mass in enumerate(kept)])


def gap(rule, answer):
    """The largest difference between `answer(p, q)`, an Outcome, and running `rule`."""
    gaps = []
    for p, q in [(np.array(P), np.array(Q)), *random_rows(40)]:
        kept, law = run(rule, p, q)
        ours = answer(p, q)
        gaps.append(max(np.abs(kept - ours.kept).max(), np.abs(law - ours.law).max()))
    return max(gaps)


# --- the rows against the rules -------------------------------------------------------------------------


@pytest.mark.parametrize("name", REAL)
def test_law_rows_equal_running_the_rule(name):
    assert gap(REAL[name], lambda p, q: outcome(name, p, q, **SETTINGS)) < 1e-12


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("match", "p * q, p", "np.minimum(p, q), p"),
        ("top_k", 'settings["k"]', '1 + settings["k"]'),
        ("top_k", "-p,", "-q,"),
        ("lenient", 'p / settings["leniency"]', "p"),
        ("lenient", "dists.residual(p, q)", "p"),
        ("typical_acceptance", "p > bound", "q > bound"),
        ("typical_acceptance", "dists.entropy(p)", "dists.entropy(p) / math.log(2)"),
        ("redraw", "law_redraw(", "law_rejection("),
        ("accept_all", "(q, q)", "(q, p)"),
    ],
)
def test_law_a_wrong_row_does_not_pass(name, old, new):
    wrong = mutant(RULES[name], old, new)
    assert gap(REAL[name], lambda p, q: wrong(p, q, SETTINGS)) > 1e-3


def test_law_rows_are_exact_in_fractions():
    p, q = (np.array([Fraction(n, 10) for n in row], dtype=object) for row in ((5, 3, 2), (2, 5, 3)))
    settings = SETTINGS | {"leniency": Fraction(4, 5)}
    exactly = REAL | {"lenient": partial(rules.lenient, leniency=Fraction(4, 5))}
    for name in ("rejection", "match", "top_k", "lenient", "redraw", "accept_all"):
        kept, law = run(exactly[name], p, q)
        ours = outcome(name, p, q, **settings)
        assert ours.kept.tolist() == kept.tolist() and ours.law.tolist() == law.tolist(), name


def test_law_gumbel_kept_mass_adds_up_to_the_agreement():
    for p, q in [(np.array(FOUR_P), np.array(FOUR_Q)), *random_rows(40)]:
        out = outcome("gumbel", p, q)
        assert out.acceptance == pytest.approx(float(rules.gumbel_agreement(p, q)), abs=1e-12)
        assert out.law.tolist() == p.tolist() and (out.kept <= np.minimum(p, q) + 1e-12).all()


def test_law_the_exact_rules_emit_p():
    for p, q in random_rows(40):
        for name in ("rejection", "match", "gumbel"):
            assert dists.tv(outcome(name, p, q).law, p) < 1e-12
        assert outcome("rejection", p, q).acceptance == pytest.approx(1 - dists.tv(p, q), abs=1e-12)


@pytest.mark.parametrize(
    ("p", "q", "rule", "settings", "distances"),
    [
        (P, Q, "top_k", [{"k": k} for k in (1, 2, 3)], (0.1, 0.29, 0.3)),
        (P, Q, "lenient", [{"leniency": x} for x in (0.8, 0.5, 0.2)], (0.125, 0.3, 0.3)),
        (P, Q, "redraw", [{}], (0.15,)),
        (FOUR_P, FOUR_Q, "top_k", [{"k": k} for k in (1, 2, 3)], (0.1, 0.15, 0.24)),
        (FOUR_P, FOUR_Q, "lenient", [{"leniency": x} for x in (0.8, 0.5, 0.2)], (0.05, 0.2, 0.3)),
        (FOUR_P, FOUR_Q, "typical_acceptance", [{"epsilon": 0.09, "delta": 0.3}], (0.24,)),
    ],
)
def test_ref_published_distances(p, q, rule, settings, distances):
    ours = [dists.tv(outcome(rule, p, q, **each).law, np.array(p)) for each in settings]
    assert ours == pytest.approx(distances, abs=1e-12)


def test_ref_published_acceptances():
    assert outcome("rejection", P, Q).acceptance == pytest.approx(0.7)
    assert outcome("match", FOUR_P, FOUR_Q).acceptance == pytest.approx(0.245)
    assert outcome("gumbel", FOUR_P, FOUR_Q).acceptance == pytest.approx(0.6236, abs=5e-5)
    assert outcome("redraw", P, Q).law == pytest.approx([0.35, 0.39, 0.26])


# --- dragging a bar -------------------------------------------------------------------------------------


def test_prop_a_dragged_row_stays_a_row_and_keeps_the_others_proportions():
    rng = np.random.default_rng(1)
    for row, _ in random_rows(200):
        token, value = int(rng.integers(len(row))), float(rng.choice([0, 1, rng.random()]))
        moved = dragged(row, token, value)
        assert moved[token] == value and (moved >= 0).all() and moved.sum() == pytest.approx(1, abs=1e-12)
        others = np.arange(len(row)) != token
        if row[others].sum() > 0:
            assert moved[others] * row[others].sum() == pytest.approx(row[others] * (1 - value), abs=1e-12)


def test_prop_others_that_are_zero_share_evenly():
    assert dragged((1.0, 0.0, 0.0), 0, 0.4).tolist() == pytest.approx([0.4, 0.3, 0.3])


# --- JavaScript -----------------------------------------------------------------------------------------

HARNESS = """
const answer = cases.map(({ rule, p, q, settings, token, value, gamma }) => {
  const { kept, law } = VERIFIED[rule](p, q, settings);
  return { kept, law, residual: residual(p, q), tv: totalVariation(law, p), entropy: entropy(p),
    dragged: dragged(p, token, value), expected: expectedTokens(Math.min(sum(kept), 1), gamma) };
});
"""


def random_cases(count):
    rng = np.random.default_rng(8)
    pairs = random_rows(10 * count, seed=9)
    for i in range(count):
        p, q = next(pairs)
        equal = i % 3 == 0  # the least likely token stands at the threshold
        yield {
            "rule": list(RULES)[i % len(RULES)],
            "p": p.tolist(),
            "q": q.tolist(),
            "settings": {
                "k": int(rng.integers(1, len(p) + 1)),
                "leniency": float(rng.integers(2, 21) / 20),
                "epsilon": float(p[p > 0].min() if equal else rng.integers(0, 101) / 100),
                "delta": float(0.99 if equal else rng.integers(0, 100) / 100),
            },
            "token": int(rng.integers(len(p))),
            "value": float(rng.choice([0, 1, rng.integers(0, 101) / 100])),
            "gamma": int(rng.integers(0, 11)),
        }


def python_answer(case):
    p, q = np.array(case["p"]), np.array(case["q"])
    out = outcome(case["rule"], p, q, **case["settings"])
    return {
        "kept": out.kept,
        "law": out.law,
        "residual": dists.residual(p, q),
        "tv": float(dists.tv(out.law, p)),
        "entropy": float(dists.entropy(p)),
        "dragged": dragged(p, case["token"], case["value"]),
        "expected": speculative.expected_tokens(min(float(out.acceptance), 1.0), case["gamma"]),
    }


def scripts(*names):
    files = resources.files("decodelab.explorers")
    return "\n".join(files.joinpath(name).read_text(encoding="utf-8") for name in names)


def test_ref_javascript_equals_python_on_a_thousand_random_rows():
    cases = list(random_cases(1000))
    code = scripts("measures.js", "verify_row.js")
    answers = run_javascript(f"const cases = {json.dumps(cases)};\n{code}\n{HARNESS}")
    assert len(answers) == 1000
    for case, theirs in zip(cases, answers, strict=True):
        for key, ours in python_answer(case).items():
            assert theirs[key] == pytest.approx(ours, abs=1e-11), f"{key} for {case}"


def test_ref_both_languages_name_the_same_rules():
    assert run_javascript(
        f"{scripts('measures.js', 'verify_row.js')}\nconst answer = Object.keys(VERIFIED);"
    ) == list(RULES)
    figure = resources.files("decodelab.explorers").joinpath("verification.js").read_text(encoding="utf-8")
    assert all(f"\n  {name}: ['" in figure for name in RULES)


# --- the fallback ---------------------------------------------------------------------------------------


def test_prop_the_fallback_shows_rows_law_and_tokens():
    figure = explorers.verification(rule="redraw", gamma=4)
    table = {row[0]: row[1:] for row in figure.table}
    assert all(len(row) == 5 for row in figure.table)
    assert table["min(p, q)"] == ("0.2000", "0.3000", "0.2000", "0.7000")
    assert table["emitted"][:3] == ("0.3500", "0.3900", "0.2600")
    assert table["emitted − p"] == ("-0.1500", "+0.0900", "+0.0600", "TV 0.1500")
    assert f"γ = 4: {speculative.expected_tokens(0.7, 4):.4f}" in table["tokens a call"]
    assert "TV 0.1500 from p" in figure.alt and "2.773 at γ = 4" in figure.alt
    (attrs,) = Elements(figure._repr_html_()).named(figure.tag)
    assert json.loads(attrs["data-params"])["rule"] == "redraw"


@pytest.mark.parametrize("gamma", range(11))
def test_prop_the_fallback_shows_the_tokens_of_the_gamma_asked_for(gamma):
    (row,) = [row for row in explorers.verification(gamma=gamma).table if row[0] == "tokens a call"]
    assert f"γ = {gamma}: {speculative.expected_tokens(0.7, gamma):.4f}" in row and len(set(row)) == 5


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("p", "q"), [(FOUR_P, FOUR_Q), (P, P), ((0.6, 0.4, 0), (0, 0, 1)), ((1, 0, 0), P)])
def test_prop_every_rule_has_a_figure_for_any_rows(rule, p, q):
    figure = explorers.verification(p, q, rule=rule)
    assert len(figure.table[0]) == len(p) + 2 and not any(
        "nan" in cell for row in figure.table for cell in row
    )
    assert len(figure._repr_html_()) < 40_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"p": (0.5, 0.5)}, "p must have three or four"),
        ({"q": FOUR_Q}, "p and q must be of one length"),
        ({"q": (0.5, 0.3, 0.3)}, "q"),
        ({"gamma": 11}, "gamma must be an integer from 0 to 10"),
        ({"gamma": True}, "gamma must be an integer"),
        ({"gamma": 1.5}, "gamma must be an integer"),
        ({"rule": "lucky"}, "rule must be one of rejection, match"),
        ({"k": 4}, "k must be an integer from 1 to 3"),
        ({"k": 0}, "k must be an integer"),
        ({"leniency": 0}, "leniency must lie in"),
        ({"leniency": 0.05}, "leniency must lie in"),
        ({"epsilon": -0.1}, "epsilon must lie in"),
        ({"delta": math.nan}, "delta must lie in"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=words):
        explorers.verification(**arguments)


def test_prop_settings_are_checked_where_the_row_is_made():
    with pytest.raises(ValueError, match="k must be an integer from 1 to 3"):
        outcome("top_k", P, Q, k=9)
    with pytest.raises(ValueError, match="leniency"):
        verify_row.check_settings(3, k=1, leniency=2, epsilon=0, delta=0)
