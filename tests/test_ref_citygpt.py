"""The trained transformers: how near they are, one table for all, and training that repeats itself."""

import numpy as np
import pytest
import torch
from decodelab import city, citygpt, dists
from decodelab.gpt import Shape, as_lm, seeded, tabulate
from decodelab.rng import NumpyRng
from decodelab.training import IGNORED, cross_entropy, fit, soft_batches, word_batches

LANGUAGE = [s.tokens for s in city.sentences()]
PROBS = np.array([float(s.prob) for s in city.sentences()])


@pytest.fixture(scope="module")
def target():
    return citygpt.rows("target")


def test_the_target_is_the_language_almost(target):
    assert citygpt.load("target").shape == Shape(71, 64, 2, 4, 2)
    assert sum(weight.numel() for weight in citygpt.load("target").parameters()) == 94_976
    assert 0 < citygpt.divergence(target) <= 0.005
    assert 0.995 <= citygpt.legal_mass(target) < 1


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("draft16", 0.99, 0.998),
        ("draft16_early", 0.96, 0.975),
        ("draft8", 0.94, 0.96),
        ("truncated", 0.8, 0.95),
    ],
)
def test_the_drafts_accept_as_they_should(target, name, low, high):
    assert low < citygpt.acceptance(target, citygpt.rows(name)) < high


def test_longer_training_brings_the_draft_nearer(target):
    stops = ("draft16_200", "draft16_400", "draft16_800", "draft16_early", "draft16")
    alphas = [citygpt.acceptance(target, citygpt.rows(name)) for name in stops]
    assert alphas == sorted(alphas)
    assert [citygpt.divergence(citygpt.rows(name)) for name in stops] == sorted(
        (citygpt.divergence(citygpt.rows(name)) for name in stops), reverse=True
    )


def test_acceptance_of_the_oracle_and_the_bigram_is_the_languages_own():
    rows = {p: city.oracle().next_probs(p) for p in city.prefixes()}
    bigram = {p: city.ngram(2).next_probs(p) for p in city.prefixes()}
    assert citygpt.acceptance(rows, bigram) == pytest.approx(0.8375054952, abs=1e-10)
    assert citygpt.acceptance(rows, rows) == pytest.approx(1, abs=1e-12)
    assert citygpt.divergence(rows) == pytest.approx(0, abs=1e-12) and citygpt.legal_mass(
        rows
    ) == pytest.approx(1)


def test_the_cached_model_gives_the_rows_of_the_table(target):
    lm = as_lm(citygpt.load("target"))
    for sentence in LANGUAGE[::1500]:
        for t in range(len(sentence)):
            np.testing.assert_allclose(lm.next_probs(sentence[:t]), target[sentence[:t]], atol=1e-10)


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="name must be one of target, .* got 'large'"):
        citygpt.load("large")


def trained(batches):
    model = seeded(Shape(71, 16, 1, 2, 1), 5)
    losses = []
    fit(model, batches, steps=30, rate=1e-2, progress=lambda step, loss: losses.append(loss))
    return model, losses


def both_batches(rng):
    rows = {p: city.oracle().next_probs(p) for p in city.prefixes()}
    return {
        "soft": soft_batches(LANGUAGE, PROBS, rows, start=0, size=16, rng=rng),
        "words": word_batches(LANGUAGE, PROBS, start=0, size=16, rng=rng),
    }


@pytest.mark.parametrize("kind", ["soft", "words"])
def test_training_repeats_itself_to_the_bit_and_learns(kind):
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        (one, losses), (two, _) = (trained(both_batches(NumpyRng(3))[kind]) for _ in range(2))
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 0.5


def test_batches_hold_whole_sentences_after_the_start_token():
    tokens, labels = next(word_batches(LANGUAGE, PROBS, start=0, size=8, rng=NumpyRng(0)))
    for line, label in zip(tokens.tolist(), labels.tolist(), strict=True):
        sentence = tuple(x for x in label if x != IGNORED)
        assert sentence in set(LANGUAGE)
        assert line[0] == 0 and tuple(line[1 : len(sentence)]) == sentence[:-1]


def test_both_losses_are_the_cross_entropy():
    logits = torch.randn(1, 2, 3, generator=torch.Generator().manual_seed(0))
    rows = torch.softmax(logits, -1)[0].numpy()
    words = cross_entropy(logits, torch.tensor([[2, IGNORED]]))
    assert float(words) == pytest.approx(-np.log(rows[0, 2]), rel=1e-5)
    soft = torch.tensor([[[0.5, 0.3, 0.2], [0.0, 0.0, 0.0]]])
    expected = dists.kl([0.5, 0.3, 0.2], rows[0]) + dists.entropy([0.5, 0.3, 0.2])
    assert float(cross_entropy(logits, soft)) == pytest.approx(float(expected), rel=1e-5)
    assert tabulate(citygpt.load("target"), [()])[()].sum() == pytest.approx(1)
