"""Searches against brute force on random models and on the whole city language; facts of the language."""

import math

import numpy as np
import pytest
from decodelab import beam, city, citygpt, prunings, variety
from decodelab.beam import attainable, beam_search, best_first, exhaustive, gnmt, power, raw
from decodelab.gpt import as_lm
from decodelab.models import Counting, TableLM, as_floats, log_prob, random_lm
from decodelab.rng import NumpyRng

END = 0
BEST = "pittsburgh draws visitors with its bridges ."


def closed(lm, depth):
    """The model with every text of `depth` words ended, so that all of its texts can be listed."""
    rows = {
        p: row if len(p) < depth else np.eye(lm.vocab_size)[END]
        for p, row in lm._rows.items()
        if END not in p
    }
    return TableLM(rows)


def models(count=12):
    rng = NumpyRng(9)
    return [closed(as_floats(random_lm(3, 4, rng=rng, kinds=("dense", "sparse"))), 4) for _ in range(count)]


@pytest.fixture(scope="module")
def widths():
    return {k: beam_search(city.oracle(), k, end=END, max_tokens=20) for k in (1, 2, 4, 6, 7, 8, 16)}


# --- the city language -----------------------------------------------------------------------------------


def test_city_beams_of_every_width(widths):
    assert {k: search.calls for k, search in widths.items() if k in (1, 2, 4, 8, 16)} == {
        1: 12, 2: 23, 4: 45, 8: 69, 16: 92,
    }  # fmt: skip
    for k, search in widths.items():
        text = city.decode(search.best.tokens)
        assert (text == BEST) == (k >= 7)
        assert text.startswith("the ") == (k < 7)
        assert search.best.score == pytest.approx(log_prob(city.oracle(), search.best.tokens), abs=1e-12)


def test_city_best_first_is_exact_with_few_expansions():
    found, expansions = best_first(city.oracle(), end=END, max_tokens=20)
    assert found.tokens == city.ranking()[0].tokens
    assert expansions == 86 < len(city.prefixes()) == 13_409


def test_city_length_penalty_flips_the_ranking_and_not_the_beam(widths):
    def winner(alpha):
        value = gnmt(alpha)
        return max(city.sentences(), key=lambda s: value(math.log(s.prob), len(s.tokens)))

    assert [winner(a).type for a in (0, 0.6, 1, 2, 2.5, 3)] == ["draw"] * 4 + ["scene"] * 2
    for alpha in (0, 0.6, 1, 2, 3):
        final = max(widths[16].hypotheses, key=lambda h: gnmt(alpha)(h.score, h.length))
        assert city.decode(final.tokens) == BEST
    lengths = [{h.length for h in step} for step in widths[16].beams]
    assert not any(city.decode(h.tokens).startswith("the ") for h in widths[16].beams[2])
    # within a step all live texts are equally long: dividing by their length changes nothing until one ends
    inside = beam_search(city.oracle(), 16, end=END, max_tokens=20, value=gnmt(3))
    assert [s[:3] for s in map(sorted, (b for b in lengths[:3]))] == [[1], [2], [3]]
    assert inside.beams[:3] == widths[16].beams[:3] and city.decode(inside.best.tokens) == BEST


def test_city_a_wider_beam_repairs_the_length_penalty_at_a_price():
    best = max(gnmt(3)(math.log(s.prob), len(s.tokens)) for s in city.sentences())
    found = {k: beam_search(city.oracle(), k, end=END, max_tokens=20, value=gnmt(3)) for k in (24, 28)}
    values = {k: gnmt(3)(search.best.score, search.best.length) for k, search in found.items()}
    assert values[24] < best - 1e-9 and values[28] == pytest.approx(best, abs=1e-12)
    assert found[28].calls > 2 * 92


def test_city_a_factor_on_log_scores_cuts_the_best_sentence():
    the, pittsburgh = math.log(0.35), math.log(0.090025)
    assert 1.5 * the == pytest.approx(-1.5747, abs=5e-5) and pittsburgh < 1.5 * the
    pruned = beam_search(city.oracle(), 16, end=END, max_tokens=20, prune=prunings.ratio_of_logs(1.5))
    assert {h.tokens[0] for h in pruned.beams[0]} == {city.encode("the")[0]}
    assert pruned.calls > 92 and city.decode(pruned.best.tokens).startswith("the ")
    assert pittsburgh / the == pytest.approx(2.2934, abs=1e-3)


def test_city_the_transformer_makes_the_languages_search_errors(widths):
    target = as_lm(citygpt.load("target"))
    for k in (1, 4, 6, 7, 8):
        text = city.decode(beam_search(target, k, end=END, max_tokens=20).best.tokens)
        assert (text == BEST) == (city.decode(widths[k].best.tokens) == BEST)
        assert (text == BEST) == (k >= 7) and text.startswith("the ") == (k < 7)


# --- random models ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(12))
def test_ref_a_full_width_beam_is_exhaustive_and_so_is_best_first(index):
    lm = models()[index]
    truth = exhaustive(lm, end=END, max_tokens=5)
    assert sum(math.exp(h.score) for h in truth) == pytest.approx(1)
    full = beam_search(lm, len(truth) + 100, end=END, max_tokens=5)
    assert [h.tokens for h in full.hypotheses] == [h.tokens for h in truth]
    found, expansions = best_first(lm, end=END, max_tokens=5)
    assert found.tokens == truth[0].tokens and expansions <= len(lm._rows)
    for h in full.hypotheses:
        assert h.score == pytest.approx(log_prob(lm, h.tokens), abs=1e-12)


@pytest.mark.parametrize("value", [raw, power(0.6), power(1.0), gnmt(2.0)])
def test_ref_the_attainable_bound_never_changes_the_winner(value):
    saved = 0
    for lm in models():
        for width in (1, 2, 3, 8):
            plain = beam_search(lm, width, end=END, max_tokens=5, value=value)
            early = beam_search(lm, width, end=END, max_tokens=5, value=value, stop=attainable(value, 5))
            assert early.best.tokens == plain.best.tokens
            saved += plain.calls - early.calls
    assert saved > 0


def test_ref_a_bound_that_is_too_eager_changes_the_winner():
    """The negative control: stop at the first finished text, as many tools do."""

    def eager(finished, live):
        return bool(finished) or not live

    changed = [
        beam_search(lm, 3, end=END, max_tokens=5, value=power(1.0), stop=eager).best.tokens
        != beam_search(lm, 3, end=END, max_tokens=5, value=power(1.0)).best.tokens
        for lm in models()
    ]
    assert any(changed)


def test_an_early_stop_returns_the_finished_winner():
    """At the length limit, with a negative exponent, and at a tie between a finished and a live text."""
    endless = TableLM({}, default=[0.4, 0.6])
    for most in (1, 3):
        early = beam_search(
            endless, 3, end=END, max_tokens=most, value=gnmt(1), stop=attainable(gnmt(1), most)
        )
        assert early.best == beam_search(endless, 3, end=END, max_tokens=most, value=gnmt(1)).best
    lm = TableLM({(): [0.4, 0.6]}, default=[0.5, 0.5])
    value = power(-1)
    early = beam_search(lm, 2, end=END, max_tokens=6, value=value, stop=attainable(value, 6)).best
    assert early.tokens == (0,) == exhaustive(lm, end=END, max_tokens=6, value=value)[0].tokens
    tied = {(): [0, 0.5, 0.5, 0], (1,): [0, 1, 0, 0], (2,): [1, 0, 0, 0], (1, 1): [0.5, 0.5, 0, 0]}
    lm = TableLM(tied, default=[1, 0, 0, 0])
    stops = {"stop": attainable(raw, 5)}
    assert (
        beam_search(lm, 2, end=END, max_tokens=5, **stops).best
        == beam_search(lm, 2, end=END, max_tokens=5).best
    )


def test_prunings_that_would_leave_nothing_are_refused():
    for bad in (
        lambda: prunings.ratio(2),
        lambda: prunings.ratio(0),
        lambda: prunings.ratio_of_logs(0.5),
        lambda: prunings.ratio_of_last(1.5),
        lambda: prunings.per_parent(0),
        lambda: prunings.absolute(-1),
    ):
        with pytest.raises(ValueError, match="must be"):
            bad()
    with pytest.raises(ValueError, match="prune left none of the"):
        beam_search(models()[0], 2, end=END, max_tokens=3, prune=lambda found: [])
    with pytest.raises(ValueError, match="max_tokens must be at least 1"):
        exhaustive(models()[0], end=END, max_tokens=0)
    with pytest.raises(ValueError, match="lead must lie between 0 and max_tokens - 1 = 2"):
        variety.sample_then_beam(city.oracle(), 3, 2, end=END, max_tokens=3, rng=NumpyRng(0))


@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_count_calls_and_candidates(width):
    for lm in models():
        counting = Counting(lm)
        search = beam_search(counting, width, end=END, max_tokens=5)
        assert search.calls == counting.calls <= 1 + width * 4
        assert all(n <= width * width for n in search.candidates)
        assert all(len(step) <= width for step in search.beams)


def test_ref_preselecting_a_rows_best_loses_nothing():
    """The best k of all k * V candidates lie among the best k of each row."""
    for lm in models():
        beam_now = [((), 0.0)]
        for step in beam_search(lm, 2, end=END, max_tokens=5).beams:
            grown = [(t, s) for t, s in beam_now if t[-1:] == (END,)]
            for tokens, score in beam_now:
                if tokens[-1:] != (END,):
                    row = lm.next_probs(tokens)
                    grown += [((*tokens, x), score + math.log(row[x])) for x in range(3) if row[x] > 0]
            beam_now = sorted(grown, key=lambda c: (-c[1], c[0]))[:2]
            assert [h.tokens for h in step] == [t for t, _ in beam_now]


def test_parents_point_into_the_beam_before():
    search = beam_search(models()[0], 3, end=END, max_tokens=5)
    for before, after in zip(search.beams, search.beams[1:], strict=False):
        for h in after:
            mother = before[h.parent]
            assert h.tokens == mother.tokens if mother.finished else h.tokens[:-1] == mother.tokens


def test_a_wider_beam_can_be_worse():
    """Two words after "2" look better than two after "1" for one step: a beam of two falls for them."""
    words = {
        (): (0.4, 0.35, 0.25), (1,): (0.4, 0.4, 0.2), (2,): (0.5, 0, 0.5), (3,): (0.5, 0, 0.5),
        (1, 1): (0.9, 0.1, 0), (1, 2): (0.5, 0.5, 0), (1, 3): (0.8, 0, 0.2), (2, 1): (0, 0.5, 0.5),
        (2, 3): (0, 0.4, 0.6), (3, 1): (0, 0.2, 0.8), (3, 3): (0, 1, 0),
    }  # fmt: skip
    lm = TableLM({prefix: (0, *row) for prefix, row in words.items()}, default=[1, 0, 0, 0])
    found = [math.exp(beam_search(lm, k, end=END, max_tokens=4).best.score) for k in (1, 2, 3)]
    assert found == pytest.approx([0.144, 0.105, 0.144])
    assert math.exp(exhaustive(lm, end=END, max_tokens=4)[0].score) == pytest.approx(0.144)


def test_bad_widths_are_refused():
    for width, most in ((0, 5), (2, 0)):
        with pytest.raises(ValueError, match="width and max_tokens must be at least 1"):
            beam_search(models()[0], width, end=END, max_tokens=most)
    with pytest.raises(ValueError, match="no text ends within max_tokens = 2"):
        best_first(TableLM({}, default=[0.0, 0.5, 0.5]), end=END, max_tokens=2)


# --- prunings --------------------------------------------------------------------------------------------


def hypotheses(*items):
    return [beam.Hypothesis(tokens, score, False, parent, last) for tokens, score, parent, last in items]


def test_prunings_keep_what_their_rule_says():
    found = hypotheses(
        ((1, 1), -1.0, 0, -0.5), ((1, 2), -1.6, 0, -1.1), ((2, 1), -2.4, 1, -0.1), ((2, 2), -4.0, 1, -1.7)
    )
    kept = lambda prune: [h.tokens for h in prune(found)]  # noqa: E731
    assert kept(prunings.absolute(0.7)) == [(1, 1), (1, 2)]
    assert kept(prunings.ratio(math.exp(-0.7))) == kept(prunings.absolute(0.7))
    assert kept(prunings.ratio_of_logs(1.5)) == [(1, 1)]
    assert kept(prunings.ratio_of_logs(2.5)) == [(1, 1), (1, 2), (2, 1)]
    assert kept(prunings.ratio_of_last(0.6)) == [(1, 1), (2, 1)]
    assert kept(prunings.per_parent(1)) == [(1, 1), (2, 1)]


def test_a_factor_on_log_scores_depends_on_the_scale_and_a_ratio_does_not():
    early, late = (hypotheses(((1,), s, 0, 0.0), ((2,), s - 1.0, 0, 0.0)) for s in (-1.05, -10.0))
    assert len(prunings.ratio_of_logs(1.5)(early)) == 1 and len(prunings.ratio_of_logs(1.5)(late)) == 2
    assert len(prunings.ratio(0.5)(early)) == len(prunings.ratio(0.5)(late)) == 1


# --- variety ---------------------------------------------------------------------------------------------


def test_diverse_groups_differ_and_report_raw_scores():
    lm = TableLM({(): [0, 0.6, 0.3, 0.1]}, default=[1.0, 0, 0, 0])
    groups = variety.diverse_beam(lm, 1, 2, 1e6, end=END, max_tokens=2)
    assert [g[0].tokens[0] for g in groups] == [1, 2]
    assert groups[1][0].score == pytest.approx(math.log(0.3))
    same = variety.diverse_beam(lm, 1, 2, 0.0, end=END, max_tokens=2)
    assert [g[0].tokens[0] for g in same] == [1, 1]
    with pytest.raises(ValueError, match="penalty = -1"):
        variety.diverse_beam(lm, 1, 2, -1, end=END, max_tokens=2)


def test_sampled_starts_bring_variety():
    rng = NumpyRng(0)
    texts = {
        variety.sample_then_beam(city.oracle(), 1, 4, end=END, max_tokens=20, rng=rng).tokens
        for _ in range(50)
    }
    assert 5 < len(texts) <= 11  # one text a first word
    again = {beam_search(city.oracle(), 4, end=END, max_tokens=20).best.tokens for _ in range(3)}
    assert len(again) == 1
    short = variety.sample_then_beam(TableLM({}, default=[1.0, 0.0]), 2, 1, end=END, max_tokens=4, rng=rng)
    assert short.tokens == (END,) and short.finished and short.score == 0


@pytest.mark.parametrize("seed", range(5))
def test_ref_a_stochastic_beam_is_the_top_of_all_perturbed_texts(seed):
    """Pathwise: perturb every text with the same noise, and the beam's texts are the largest."""
    for lm in models(4):
        noise = variety.noise_by_prefix(3, rng=NumpyRng(seed))
        every = variety.stochastic_beam(lm, 10_000, end=END, max_tokens=5, noise=noise)
        assert {t.tokens for t in every} == {h.tokens for h in exhaustive(lm, end=END, max_tokens=5)}
        for width in (1, 2, 5):
            top = variety.stochastic_beam(lm, width, end=END, max_tokens=5, noise=noise)
            assert [t.tokens for t in top] == [t.tokens for t in every[:width]]
            assert all(t.score == pytest.approx(log_prob(lm, t.tokens)) for t in top)


def test_stat_inclusion_of_a_stochastic_beam_is_plackett_luce():
    """4,000 beams, fixed seed: inclusion within 5 standard errors of enumeration; a plain beam's is not."""
    from decodelab.sampling import plackett_luce

    lm = closed(as_floats(random_lm(3, 2, rng=NumpyRng(1), kinds=("dense",))), 2)
    texts = exhaustive(lm, end=END, max_tokens=3)
    p = np.array([math.exp(h.score) for h in texts])
    exact = np.zeros(len(p))
    for order, mass in plackett_luce(p / p.sum(), 3).items():
        exact[list(order)] += mass
    rng, counts = NumpyRng(5), np.zeros(len(p))
    place = {h.tokens: i for i, h in enumerate(texts)}
    for _ in range(4000):
        noise = variety.noise_by_prefix(3, rng=rng)
        for text in variety.stochastic_beam(lm, 3, end=END, max_tokens=3, noise=noise):
            counts[place[text.tokens]] += 1
    errors = np.sqrt(exact * (1 - exact) / 4000) + 1e-12
    assert (np.abs(counts / 4000 - exact) < 5 * errors).all()
    wrong = np.array([1.0] * 3 + [0.0] * (len(p) - 3))
    assert (np.abs(wrong - exact) > 5 * errors).any()
