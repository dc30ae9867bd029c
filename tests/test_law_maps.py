"""Sentence laws under temperature and truncation: from one table, by running, and against the language."""

import math
from functools import partial

import numpy as np
import pytest
from decodelab import city, citygpt, dists, exact
from decodelab.models import TableLM, Warped, map_rows, tabulate
from decodelab.sampling import ancestral

MAPS = {
    "temperature": partial(dists.temperature, T=0.7),
    "top_k": partial(dists.top_k, k=3),
    "top_p": partial(dists.top_p, mass=0.9),
    "min_p": partial(dists.min_p, ratio=0.2),
    "locally_typical": partial(dists.locally_typical, mass=0.9),
    "eta": partial(dists.eta, epsilon=0.05),
}


@pytest.fixture(scope="module")
def oracle():
    return tabulate(city.oracle(), city.prefixes())


@pytest.fixture(scope="module")
def transformer():
    return citygpt.rows("target")


def standing(rows, warp):
    return city.standing(exact.table_law(map_rows(rows, warp), end=city.END, legal=city.is_prefix))


@pytest.mark.parametrize("name", MAPS)
def test_law_from_the_table_is_the_law_by_running(oracle, name):
    table = exact.table_law(map_rows(oracle, MAPS[name]), end=city.END, legal=city.is_prefix)
    run = exact.sentence_law(ancestral(Warped(city.oracle(), MAPS[name])), legal=city.is_prefix)
    assert exact.law_tv(table.probs, run.probs) < 1e-12
    assert table.tokens == pytest.approx(run.tokens) and table.illegal == pytest.approx(
        run.illegal, abs=1e-12
    )


def test_law_from_a_table_of_a_model_that_leaves_the_language(transformer):
    """By the chain rule, sentence by sentence; the rest is illegal."""
    law = exact.table_law(transformer, end=city.END, legal=city.is_prefix)
    for s in city.sentences()[::37]:
        chain = math.prod(transformer[s.tokens[:t]][x] for t, x in enumerate(s.tokens))
        assert law.probs[s.tokens] == pytest.approx(chain, rel=1e-12)
    assert law.illegal == pytest.approx(1 - citygpt.legal_mass(transformer), abs=1e-12)


def test_law_from_a_table_tells_a_wrong_map_apart(oracle):
    """The negative control: the right map at one prefix too few."""
    rows = map_rows(oracle, MAPS["top_p"])
    broken = {**rows, (): oracle[()]}
    right, wrong = (exact.table_law(r, end=city.END, legal=city.is_prefix) for r in (rows, broken))
    assert exact.law_tv(right.probs, wrong.probs) > 1e-3


def test_light_truncation_brings_the_model_nearer(transformer):
    plain = standing(transformer, lambda p: p)
    light = [
        partial(dists.top_p, mass=0.99),
        partial(dists.min_p, ratio=0.05),
        partial(dists.eta, epsilon=0.001),
    ]
    for warp in light:
        s = standing(transformer, warp)
        assert s.legal > plain.legal and 0 < s.kl < plain.kl / 10 and s.coverage == pytest.approx(1)


def test_harsh_truncation_loses_real_sentences(transformer, oracle):
    harsh = [partial(dists.top_p, mass=0.9), partial(dists.top_k, k=10), partial(dists.min_p, ratio=0.2)]
    for rows in (transformer, oracle):
        for warp in harsh:
            s = standing(rows, warp)
            assert math.isinf(s.kl) and s.coverage < 1 and s.support < 9127


def test_cooling_raises_the_sentence_entropy_and_lowers_that_of_every_row(oracle):
    rows = np.stack(list(oracle.values()))
    cooled = dists.temperature(rows, 0.5)
    assert (dists.entropy(cooled) <= dists.entropy(rows) + 1e-12).all()
    assert standing(oracle, partial(dists.temperature, T=0.5)).entropy > 7.8
    assert standing(oracle, lambda p: p).entropy == pytest.approx(6.7958748152, abs=1e-10)


def test_standing_of_the_language_itself(oracle):
    s = standing(oracle, lambda p: p)
    assert (s.legal, s.coverage, s.support) == (pytest.approx(1), pytest.approx(1), 9127)
    assert s.kl == pytest.approx(0, abs=1e-12) and s.shares["scene"] == pytest.approx(0.35)
    alone = standing(oracle, dists.greedy)
    assert (alone.support, alone.entropy, str(alone.entropy)) == (1, 0, "0.0")


def test_map_rows_keeps_the_prefixes():
    table = {(): np.array([0.5, 0.3, 0.2]), (1,): np.array([0.2, 0.5, 0.3])}
    mapped = map_rows(table, partial(dists.top_k, k=1))
    assert {p: row.tolist() for p, row in mapped.items()} == {(): [1, 0, 0], (1,): [0, 1, 0]}
    assert TableLM(mapped).next_probs((1,)).tolist() == [0, 1, 0]
