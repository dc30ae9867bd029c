"""Models, trees, drafts, steps and the loop: contracts and refusals."""

from fractions import Fraction

import numpy as np
import pytest
from decodelab import dists
from decodelab.models import (
    LM,
    Counting,
    TableLM,
    Warped,
    as_floats,
    fit_ngram,
    log_prob,
    probs_along,
    probs_tree,
    random_lm,
    random_pairs,
    tabulate,
)
from decodelab.rng import NumpyRng
from decodelab.speculative import decode, write
from decodelab.tree import Draft, Step, Tree
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def trees(draw):
    size = draw(st.integers(0, 6))
    parents = [-1] + [draw(st.integers(0, node - 1)) for node in range(1, size + 1)]
    return Tree(tuple(draw(st.integers(0, 2)) for _ in parents), tuple(parents))


def loop_only(lm):
    """The model without its overrides."""

    class Bare:
        vocab_size = lm.vocab_size

        def next_probs(self, prefix):
            return lm.next_probs(prefix)

    return Bare()


MODEL = random_lm(3, 5, rng=NumpyRng(2), kinds=("dense", "sparse"))


@given(trees(), st.lists(st.integers(0, 2), max_size=2), st.lists(st.integers(0, 2), max_size=3))
def test_ref_overrides_equal_the_loop(tree, prefix, tokens):
    prefix = tuple(prefix)
    floats = as_floats(MODEL)
    for lm in (Warped(floats, lambda p: dists.temperature(p, 2)), Counting(floats)):
        bare = loop_only(lm)
        assert isinstance(lm, LM)
        if len(prefix) + len(tokens) <= 5:
            assert probs_along(lm, prefix, tokens).tolist() == probs_along(bare, prefix, tokens).tolist()
        if len(prefix) + tree.depths.max() <= 5:
            assert probs_tree(lm, prefix, tree).tolist() == probs_tree(bare, prefix, tree).tolist()
        assert tabulate(lm, [prefix])[prefix].tolist() == bare.next_probs(prefix).tolist()


@given(trees())
def test_ref_tree_shapes_by_walking_up(tree):
    for node in range(len(tree.tokens)):
        up, at = [], node
        while at != -1:
            up.append(at)
            at = tree.parents[at]
        assert np.flatnonzero(tree.mask[node]).tolist() == sorted(up)
        assert tree.depths[node] == len(up) - 1
        assert tree.path(node) == tuple(reversed(up[:-1]))
        assert all(tree.parents[child] == node for child in tree.children(node))
    assert sum(len(tree.children(node)) for node in range(len(tree.tokens))) == tree.drafted


def test_a_chain_is_a_tree_of_width_one():
    chain = Tree.chain(0, (5, 6, 7))
    assert chain.parents == (-1, 0, 1, 2)
    assert chain.path_tokens(3) == (5, 6, 7)
    assert (chain.mask == np.tril(np.ones((4, 4), dtype=bool))).all()
    assert chain.drafted == 3


@pytest.mark.parametrize(
    ("tokens", "parents", "message"),
    [
        ((), (), "0 entries"),
        ((1, 2), (-1,), "tokens has 2 entries and parents 1"),
        ((1,), (0,), r"parents\[0\] = 0"),
        ((1, 2), (-1, 1), r"parents\[1\] = 1"),
        ((1, 2), (-1, -1), r"parents\[1\] = -1"),
    ],
)
def test_a_tree_that_is_none_is_refused(tokens, parents, message):
    with pytest.raises(ValueError, match=message):
        Tree(tokens, parents)


def test_a_draft_keeps_the_rows_its_tokens_were_drawn_from():
    tree = Tree.chain(0, (1, 2))
    q = np.array([[0, 0, 0], [0.2, 0.8, 0], [0, 0, 1.0]])  # row 0 is not read
    assert Draft(tree, q).q.tolist() == q.tolist()
    assert Draft(Tree.chain(0, ()), np.zeros((1, 3))).tree.drafted == 0
    for rows, message in [
        (q[1:], r"q has shape \(2, 3\)"),
        ([[0, 0, 0], [0.2, 0.8, 0], [0.5, 0.5, 0]], r"q\[2, 2\] = 0"),
        ([[0, 0, 0], [0.2, 0.9, 0], [0, 0, 1]], r"q\[1\] sums to 1.1"),
        ([[0, 0], [0, 1], [0, 1]], r"tokens\[2\] = 2 lies outside"),
    ]:
        with pytest.raises(ValueError, match=message):
            Draft(tree, rows)


def test_B60_a_step_is_cut_at_the_first_end_token_and_counts_what_was_emitted():
    step = Step((5, 6, 0, 7, 8, 9), drafted=5, accepted=5)
    assert step.cut(end=0) == Step((5, 6, 0), drafted=5, accepted=3)
    assert step.cut(end=None, room=2) == Step((5, 6), drafted=5, accepted=2)
    assert step.cut(end=0, room=10) == Step((5, 6, 0), drafted=5, accepted=3)
    assert step.cut(end=4) == step
    assert Step((5,)).cut(end=0, room=0).tokens == ()


def blocks_of(*tokens):
    return lambda prefix, *, rng: Step(tokens, drafted=len(tokens) - 1, accepted=len(tokens) - 1)


def test_B62_B63_B65_the_loop_stops_inside_a_block():
    rng = NumpyRng(0)
    assert write(blocks_of(5, 0, 7, 9), max_tokens=20, rng=rng) == (5, 0)
    assert write(blocks_of(5, 6, 7, 8), max_tokens=2, rng=rng) == (5, 6)
    assert write(blocks_of(10, 11, 0, 20, 21, 22), max_tokens=5, rng=rng) == (10, 11, 0)
    assert write(blocks_of(5, 6), max_tokens=5, rng=rng) == (5, 6, 5, 6, 5)
    assert write(blocks_of(5, 6), max_tokens=0, rng=rng) == ()
    assert [s.accepted for s in decode(blocks_of(5, 6, 0, 7), max_tokens=9, rng=rng)] == [3]
    with pytest.raises(ValueError, match="max_tokens must be at least 0, got -1"):
        write(blocks_of(5), max_tokens=-1, rng=rng)
    with pytest.raises(ValueError, match="emitted nothing"):
        write(blocks_of(), max_tokens=1, rng=rng)


def test_tables_refuse_what_is_not_a_model():
    with pytest.raises(ValueError, match=r"rows\[\(1,\)\]\[0\] = -1.0"):
        TableLM({(1,): [-1, 2]})
    with pytest.raises(ValueError, match=r"one length, got \[2, 3\]"):
        TableLM({(): [0.5, 0.5]}, default=[0.5, 0.3, 0.2])
    with pytest.raises(KeyError, match=r"no row for prefix \(1, 1\)"):
        TableLM({(): [0.5, 0.5]}).next_probs((1, 1))


def test_a_table_holds_single_rows_that_nobody_can_change():
    with pytest.raises(ValueError, match=r"rows\[\(\)\] must be one row, got shape \(1, 2\)"):
        TableLM({(): [[0.5, 0.5]]})
    given = np.array([0.5, 0.5])
    table = TableLM({(): given})
    given[0] = 1.0
    assert table.next_probs(()).tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        table.next_probs(())[0] = 1


def test_a_map_that_knows_one_row_works_on_many():
    squared = Warped(as_floats(MODEL), lambda p: p**2 / (p**2).sum())
    assert log_prob(squared, (1, 2)) == pytest.approx(
        np.log(squared.next_probs(())[1]) + np.log(squared.next_probs((1,))[2])
    )


def test_tokens_outside_the_vocabulary_are_refused():
    with pytest.raises(ValueError, match=r"tokens holds -3, which lies outside \[0, 3\)"):
        log_prob(MODEL, (-3,))


def test_counting_counts_calls_and_rows():
    lm = Counting(as_floats(MODEL))
    lm.next_probs(())
    probs_along(lm, (), (1, 2))
    probs_tree(lm, (), Tree.chain(0, (1,)))
    assert (lm.calls, lm.rows) == (3, 1 + 3 + 2)


def test_ngrams_from_counts():
    weights = {(1, 2, 0): 3, (1, 1, 0): 1}
    bigram = fit_ngram(weights, 2, vocab_size=3, end=0)
    assert bigram.next_probs(()).tolist() == [0, 1, 0]
    assert bigram.next_probs((2, 1)).tolist() == [1 / 5, 1 / 5, 3 / 5]
    assert fit_ngram(weights, 1, vocab_size=3, end=0).next_probs((1,)).tolist() == [4 / 12, 5 / 12, 3 / 12]
    trigram = fit_ngram(weights, 3, vocab_size=3, end=0)
    assert trigram.context((1,)) == (0, 1) and trigram.context((1, 2, 1)) == (2, 1)
    assert trigram.next_probs((2, 2)).tolist() == [1, 0, 0]  # never seen: the sentence ends
    smooth = fit_ngram(weights, 2, vocab_size=3, end=0, smoothing=Fraction(1, 2))
    assert smooth.next_probs((1,)).tolist() == [1.5 / 6.5, 1.5 / 6.5, 3.5 / 6.5]
    assert smooth.next_probs((9,)).tolist() == [1 / 3] * 3
    with pytest.raises(ValueError, match="order must be at least 1"):
        fit_ngram(weights, 0, vocab_size=3, end=0)
    with pytest.raises(ValueError, match=r"\(1, 2\) does not end with the token 0"):
        fit_ngram({(1, 2): 1}, 2, vocab_size=3, end=0)


def test_random_models_depend_on_the_whole_prefix_and_hold_every_kind():
    pairs = random_pairs(10, 3, 2, rng=NumpyRng(0))
    rows = [
        lm.next_probs(prefix) for pair in pairs for lm in pair for prefix in [(), (1,), (2,), (1, 2), (2, 2)]
    ]
    assert all(sum(row) == 1 for row in rows)
    assert any(0 in row for row in rows) and any(1 in row for row in rows)
    assert any(target is draft for target, draft in pairs)
    apart = [
        (target, draft)
        for target, draft in pairs
        if all(dists.tv(target.next_probs(p), draft.next_probs(p)) == 1 for p in [(), (0,), (1,)])
    ]
    assert apart
    first = pairs[0][0]
    assert len({tuple(first.next_probs(p)) for p in [(), (0,), (1,), (0, 1), (1, 1)]}) > 2
    again = random_pairs(10, 3, 2, rng=NumpyRng(0))[0][0]
    assert again.next_probs((1, 2)).tolist() == first.next_probs((1, 2)).tolist()


@pytest.mark.parametrize(
    ("sentences", "more", "why"),
    [
        ({(5, 0): 1}, {}, "ids in"),
        ({(-1, 0): 1}, {}, "ids in"),
        ({(1, 0): 0}, {}, "weight above 0"),
        ({(1, 0): 1}, {"smoothing": -0.2}, "smoothing must be"),
    ],
)
def test_ngrams_refuse_what_would_make_no_law(sentences, more, why):
    with pytest.raises(ValueError, match=why):
        fit_ngram(sentences, 2, vocab_size=3, end=0, **more)


def test_rows_of_an_ngram_are_shared_and_cannot_be_written():
    model = fit_ngram({(1, 2, 0): 1}, 2, vocab_size=3, end=0)
    with pytest.raises(ValueError, match="read-only"):
        model.next_probs(())[:] = 0
