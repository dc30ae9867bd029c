"""The city language: every fact of its definition, and the oracle against the sentences themselves."""

import math
import time

import numpy as np
import pytest
from decodelab import city, dists, exact
from decodelab.models import Warped, probs_along, probs_tree, tabulate
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import write
from decodelab.tree import Tree


@pytest.fixture(scope="module")
def plain():
    return exact.sentence_law(ancestral(city.oracle()), legal=city.is_prefix)


def test_counts_and_constants():
    by_type = {kind: [s for s in city.sentences() if s.type == kind] for kind in city.TYPES}
    assert {kind: len(group) for kind, group in by_type.items()} == {
        "fact": 10, "draw": 80, "scene": 9000, "place": 37,
    }  # fmt: skip
    assert {kind: float(sum(s.prob for s in group)) for kind, group in by_type.items()} == {
        "fact": 0.08, "draw": 0.34, "scene": 0.35, "place": 0.23,
    }  # fmt: skip
    assert sum(s.prob for s in city.sentences()) == 1
    assert len({s.tokens for s in city.sentences()}) == len(city.sentences()) == 9127
    assert sum(s.prob * len(s.tokens) for s in city.sentences()) == 8.75
    surprise = math.fsum(-float(s.prob) * math.log(s.prob) for s in city.sentences())
    assert surprise == pytest.approx(6.7958748152, abs=1e-10)
    assert len(city.vocabulary()) == 71
    assert len(city.prefixes()) == 13_409


def test_words_are_numbered_in_alphabetical_order_after_the_full_stop():
    words = city.vocabulary()
    assert words[city.END] == "."
    assert list(words[1:]) == sorted(words[1:])
    for sentence in city.sentences()[::97]:
        assert city.decode(sentence.tokens) == sentence.text
        assert city.encode(sentence.text) == sentence.tokens
        assert sentence.city in sentence.text
    with pytest.raises(ValueError, match="'llama'"):
        city.encode("the llama .")
    with pytest.raises(ValueError, match="tokens holds -1"):
        city.decode((-1,))


def test_first_words():
    row = city.oracle().next_probs(())
    first = {city.vocabulary()[t]: row[t] for t in np.flatnonzero(row)}
    assert len(first) == 11
    assert first["the"] == 0.35
    assert math.log(first["the"]) == pytest.approx(-1.0498, abs=5e-5)
    assert first["pittsburgh"] == 0.090025
    assert math.log(first["pittsburgh"]) == pytest.approx(-2.4077, abs=5e-5)


def test_the_most_probable_sentences_and_where_greedy_ends():
    best = city.ranking()
    assert [(s.text, float(s.prob)) for s in best[:3]] == [
        ("pittsburgh draws visitors with its bridges .", 0.014127),
        ("pittsburgh has a famous university downtown .", 0.0133791),
        ("philadelphia draws visitors with its rivers .", 0.01275),
    ]
    greedy = write(ancestral(Warped(city.oracle(), dists.greedy)), max_tokens=20, rng=NumpyRng(0))
    prob = next(s.prob for s in best if s.tokens == greedy)
    assert city.decode(greedy).startswith("the ")
    assert float(best[0].prob / prob) == pytest.approx(129.74, abs=5e-3)
    assert float(prob) == pytest.approx(1.08889e-4, abs=5e-10)
    assert sum(s.prob > prob for s in best) == 127
    assert sum(s.prob == prob for s in best) - 1 == 899


def test_law_of_plain_sampling_is_the_language(plain):
    started = time.process_time()
    exact.sentence_law(ancestral(city.oracle()))
    assert time.process_time() - started < 5
    assert set(plain.probs) == {s.tokens for s in city.sentences()}
    assert max(abs(plain.probs[s.tokens] - float(s.prob)) for s in city.sentences()) < 1e-15
    assert plain.illegal == plain.unfinished == 0
    assert plain.tokens == plain.calls == pytest.approx(8.75, abs=1e-10)


TEMPERATURES = {
    0.5: (7.8417397, 0.732441),
    0.7: (7.3938202, 0.521078),
    1.5: (6.2674949, 0.236239),
    2.0: (6.0029939, 0.189525),
}


@pytest.mark.parametrize("T", TEMPERATURES)
def test_law_at_a_temperature(T):
    probs = exact.sentence_law(ancestral(Warped(city.oracle(), lambda p: dists.temperature(p, T)))).probs
    surprise, scenes = TEMPERATURES[T]
    assert -math.fsum(m * math.log(m) for m in probs.values()) == pytest.approx(surprise, abs=1e-7)
    assert math.fsum(m for s, m in probs.items() if city.decode(s).startswith("the ")) == pytest.approx(
        scenes, abs=1e-6
    )


def test_every_row_is_a_law_and_equal_options_are_equal_to_the_bit():
    oracle = city.oracle()
    for prefix, row in tabulate(oracle, city.prefixes()).items():
        assert row.sum() == pytest.approx(1, abs=1e-15), prefix
    adjectives = oracle.next_probs(city.encode("the"))
    assert set(adjectives[adjectives > 0].tolist()) == {1 / 6}
    with pytest.raises(ValueError, match="read-only"):
        oracle.next_probs(())[0] = 1


def test_a_prefix_outside_the_language_ends_the_sentence():
    row = city.oracle().next_probs(city.encode("boston boston"))
    assert row[city.END] == 1
    assert not city.is_prefix(city.encode("boston boston"))
    assert city.is_prefix(city.sentences()[0].tokens)


def test_every_prefix_of_the_list_has_a_next_token():
    assert all(city.is_prefix(p) for p in city.prefixes())
    assert city.prefixes()[0] == ()
    assert not any(p and p[-1] == city.END for p in city.prefixes())


def test_rows_along_a_path_and_a_tree_are_the_rows_one_by_one():
    oracle, tokens = city.oracle(), city.sentences()[0].tokens
    along = probs_along(oracle, (), tokens[:-1])
    tree = probs_tree(oracle, (), Tree.chain(city.END, tokens[:-1]))
    assert along.tolist() == tree.tolist()
    assert along[2].tolist() == oracle.next_probs(tokens[:2]).tolist()


def test_the_bigram_averages_over_what_it_has_forgotten():
    bigram = city.ngram(2)
    after_has = bigram.next_probs(city.encode("boston has"))
    assert after_has.tolist() == bigram.next_probs(city.encode("miami has")).tolist()
    with_has = [s for s in city.sentences() if " has a " in s.text or " has one " in s.text]
    a = sum(s.prob for s in with_has if " has a " in s.text) / sum(s.prob for s in with_has)
    assert after_has[city.encode("a")[0]] == float(a)
    assert city.ngram(1).next_probs(()).sum() == pytest.approx(1)
    assert city.ngram(12).next_probs(city.sentences()[4000].tokens[:6]).tolist() == (
        city.oracle().next_probs(city.sentences()[4000].tokens[:6]).tolist()
    )


def test_acceptance_of_the_exact_bigram_over_the_targets_own_prefixes():
    """Each prefix counts by the mass of sentences that pass through it, a token at a time."""
    oracle, bigram = city.oracle(), city.ngram(2)
    alpha = {p: 1 - float(dists.tv(oracle.next_probs(p), bigram.next_probs(p))) for p in city.prefixes()}
    expected = math.fsum(
        float(s.prob) * alpha[s.tokens[:t]] for s in city.sentences() for t in range(len(s.tokens))
    )
    assert expected / 8.75 == pytest.approx(0.8375054952, abs=1e-10)


def test_the_learned_trigram_has_a_tail():
    trigram = city.tail_trigram(rng=NumpyRng(1))
    row = trigram.next_probs(city.encode("boston is"))
    assert (row > 0).all()
    assert row[city.encode("a")[0]] > 0.5
    assert trigram.next_probs(city.encode("bridges bridges")).tolist() == pytest.approx([1 / 71] * 71)
    again = city.tail_trigram(rng=NumpyRng(1)).next_probs(city.encode("boston is"))
    assert again.tolist() == row.tolist()
