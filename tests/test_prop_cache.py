"""Cached, chained and tree forwards equal fresh full ones, whatever was accepted, rejected or branched."""

import numpy as np
import pytest
import torch
from decodelab import drafters, rules
from decodelab.cached import CachedLM
from decodelab.gpt import GPTBackend, Shape, as_lm, seeded, tabulate
from decodelab.kvcache import KVCache, SlidingCache
from decodelab.models import Warped
from decodelab.rng import NumpyRng
from decodelab.speculative import decode, speculate
from decodelab.tree import Tree
from hypothesis import given, settings
from hypothesis import strategies as st

SHAPE = Shape(vocab_size=5, width=16, layers=2, heads=4, kv_heads=2)
WORDS = st.integers(0, 4)


@pytest.fixture(scope="module")
def model():
    return small_model()


def small_model(shape=SHAPE):
    network = seeded(shape, 3).double().eval().requires_grad_(False)
    for weight in network.parameters():  # sharper than at the start, so that rows differ from uniform
        weight.mul_(2.0)
    return network


def fresh(model, prefix):
    """The row after `prefix` from one full forward without a cache."""
    logits = model(torch.tensor([[0, *prefix]])).logits[0, -1]
    return torch.softmax(logits, -1).numpy()


class Poisoning(GPTBackend):
    """A backend that fills every row that is not held with NaN: whoever reads one shows it."""

    def keep(self, rows):
        super().keep(rows)
        self.cache.keys[:, :, self.cache.length :] = float("nan")
        self.cache.values[:, :, self.cache.length :] = float("nan")


def poisoned(model):
    return CachedLM(Poisoning(model, KVCache(SHAPE, 64, dtype=torch.float64)), start=0)


@st.composite
def trees_below(draw, root):
    size = draw(st.integers(0, 5))
    parents = [-1] + [draw(st.integers(0, node - 1)) for node in range(1, size + 1)]
    return Tree((root, *(draw(WORDS) for _ in range(size))), tuple(parents))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_prop_any_history_of_calls_equals_fresh_forwards(model, data):
    lm, prefix = poisoned(model), ()
    for _ in range(data.draw(st.integers(1, 6))):
        kind = data.draw(st.sampled_from(["one", "along", "tree", "features"]))
        if kind == "one":
            np.testing.assert_allclose(lm.next_probs(prefix), fresh(model, prefix), atol=1e-10)
        elif kind == "along":
            tokens = tuple(data.draw(st.lists(WORDS, max_size=4)))
            rows = lm.probs_along(prefix, tokens)
            expected = [fresh(model, (*prefix, *tokens[:i])) for i in range(len(tokens) + 1)]
            np.testing.assert_allclose(rows, expected, atol=1e-10)
        elif kind == "features":
            last = model(torch.tensor([[0, *prefix]])).last[0].numpy()
            np.testing.assert_allclose(lm.features(prefix), last, atol=1e-10)
        else:
            tree = data.draw(trees_below(prefix[-1] if prefix else 0))
            rows = lm.probs_tree(prefix, tree)
            paths = [(*prefix, *tree.path_tokens(node)) for node in range(len(tree.tokens))]
            np.testing.assert_allclose(rows, [fresh(model, path) for path in paths], atol=1e-10)
            prefix = paths[data.draw(st.integers(0, len(paths) - 1))]  # accept a path, or none
        cut = data.draw(st.integers(0, len(prefix)))  # sometimes the text is taken back, too
        prefix = (*prefix[: len(prefix) - cut % 3], *data.draw(st.lists(WORDS, max_size=2)))


def test_count_accepting_a_path_feeds_only_what_is_new(model):
    lm = as_lm(model)
    tree = Tree((0, 1, 2, 3, 4), (-1, 0, 0, 1, 2))
    lm.probs_tree((), tree)
    assert (lm.calls, lm.fed, lm.cached) == (1, 5, 1)  # the start token and four drafted nodes
    lm.next_probs((2, 4, 1))
    assert (lm.calls, lm.fed, lm.cached) == (2, 6, 4)  # 2 and 4 were kept; only 1 is new
    lm.next_probs((2, 4))
    assert (lm.calls, lm.fed, lm.cached) == (2, 6, 3)  # held: no forward at all
    lm.next_probs((1,))
    assert (lm.calls, lm.fed, lm.cached) == (3, 7, 2)


def test_count_equal_siblings_keep_the_first(model):
    lm = as_lm(model)
    lm.probs_tree((), Tree((0, 1, 1, 2), (-1, 0, 0, 2)))
    np.testing.assert_allclose(lm.next_probs((1, 2)), fresh(model, (1, 2)), atol=1e-10)
    assert lm.fed == 5  # the 2 stood below the second 1, so it is read again


def test_a_tree_must_grow_from_the_last_committed_token(model):
    with pytest.raises(ValueError, match=r"tree.tokens\[0\] = 3 is not the last committed token 2"):
        as_lm(model).probs_tree((1, 2), Tree.chain(3, (1,)))


def test_law_of_a_drafter_equal_to_the_target_accepts_every_token(model):
    target, draft = as_lm(model), as_lm(model)
    drafter = drafters.chain(draft, 3, start=0, end=None)
    for rule in (rules.rejection, rules.traversal):
        steps = list(
            decode(speculate(target, drafter, rule, end=-1), end=-1, max_tokens=120, rng=NumpyRng(1))
        )
        assert all(step.accepted == step.drafted == 3 for step in steps)


def test_B65_gamma_may_be_zero_and_change_between_rounds(model):
    target, draft = as_lm(model), as_lm(model)
    prefix, rng = (), NumpyRng(0)
    for gamma in (3, 0, 3, 0, 0, 2):
        drafter = drafters.chain(draft, gamma, start=0)
        step = speculate(target, drafter, rules.greedy, end=-1)(prefix, rng=rng)
        assert step.drafted == gamma and len(step.tokens) == step.accepted + 1
        prefix = (*prefix, *step.tokens)
        assert draft.cached <= len(prefix) + 1
    plain = ()
    for _ in prefix:
        plain = (*plain, int(fresh(model, plain).argmax()))
    assert prefix == plain


@pytest.mark.parametrize("accepted", range(5))
def test_B66_both_caches_end_one_short_of_the_text_after_every_round(model, accepted):
    """Ten tokens and a pending one; four drafts of which the first `accepted` are kept."""
    prefix = (1, 2, 3, 4, 1, 2, 3, 4, 1, 2)
    target, draft = as_lm(model), as_lm(model)
    target.next_probs(prefix[:-1]), draft.next_probs(prefix[:-1])  # the last token is not read yet
    assert target.cached == draft.cached == 10
    drafts = (1, 2, 3, 4)
    for i in range(4):  # the drafter reads each token it has drawn but the last
        draft.next_probs((*prefix, *drafts[:i]))
    assert draft.cached == 11 + 3
    target.probs_tree(prefix, Tree.chain(prefix[-1], drafts))
    committed = (*prefix, *drafts[:accepted], 0)  # the kept drafts and one token that nobody has read
    before = target.fed, draft.fed
    target.next_probs(committed), draft.next_probs(committed)
    assert target.fed - before[0] == 1  # k - a rows were cut, one token is new
    assert draft.fed - before[1] == (2 if accepted == 4 else 1)  # the last draft was never read
    assert target.cached == draft.cached == len(committed) + 1


@pytest.mark.parametrize("length", [5, 0])
def test_B71_truncation_works_on_the_cache_itself(model, length):
    cache = KVCache(SHAPE, 16, dtype=torch.float64)
    text = torch.tensor([[0, 1, 2, 3, 4, 1, 2]])
    model(text, cache=cache)
    store = cache.keys.data_ptr()
    cache.truncate(length)
    assert (cache.length, cache.keys.data_ptr()) == (length, store)
    out = model(torch.tensor([[3]]), cache=cache).logits[0, -1]
    full = model(torch.tensor([[*text[0, :length].tolist(), 3]])).logits[0, -1]
    np.testing.assert_allclose(out, full, atol=1e-10)
    for bad in (-1, length + 2):
        with pytest.raises(ValueError, match=rf"length = {bad} lies outside"):
            cache.truncate(bad)


def test_B72_B73_a_tree_forward_is_each_path_alone_and_wrong_masks_or_positions_are_not(model):
    tree, prefix = Tree((0, 1, 2, 3, 4), (-1, 0, 0, 1, 2)), (4, 3, 2, 1, 0)
    committed = torch.tensor([[0, *prefix]])

    def logits(mask, positions):
        cache = KVCache(SHAPE, 32, dtype=torch.float64)
        model(committed[:, :-1], cache=cache)
        return model(
            torch.tensor([tree.tokens]),
            cache=cache,
            among=torch.from_numpy(mask),
            positions=torch.from_numpy(positions),
        ).logits[0]

    right = logits(tree.mask, tree.positions(5))
    for node in range(5):
        alone = model(torch.tensor([[0, *prefix, *tree.path_tokens(node)]])).logits[0, -1]
        np.testing.assert_allclose(right[node], alone, atol=1e-10)
    causal = logits(np.tri(5, dtype=bool), tree.positions(5))
    by_index = logits(tree.mask, np.arange(5) + 5)
    assert (causal - right).abs().max() > 1e-3 and (by_index - right).abs().max() > 1e-3
    chain = Tree.chain(0, (1, 2, 3, 4))  # a chain's mask is the causal one: it cannot tell the masks apart
    assert (chain.mask == np.tri(5, dtype=bool)).all()


def test_keep_moves_rows_and_refuses_what_is_not_held(model):
    cache = KVCache(SHAPE, 16, dtype=torch.float64)
    model(torch.tensor([[0, 1, 2, 3, 4]]), cache=cache)
    keys = cache.keys.clone()
    cache.keep([0, 2, 4])
    assert cache.length == 3 and cache.positions[:3].tolist() == [0, 2, 4]
    assert (cache.keys[:, :, :3] == keys[:, :, [0, 2, 4]]).all()
    for rows in ([0, 3], [1, 1], [2, 1], [-1]):
        with pytest.raises(ValueError, match="rows must increase"):
            cache.keep(rows)
    with pytest.raises(ValueError, match="capacity = 16 rows: 3 are held and 14 more"):
        model(torch.zeros(1, 14, dtype=torch.long), cache=cache)
    with pytest.raises(ValueError, match="one sequence, got a batch of 2"):
        model(torch.zeros(2, 1, dtype=torch.long), cache=cache)


def windowed(model, tokens, window):
    """The last row of a full forward in which each token sees `window` positions."""
    n = len(tokens)
    among = torch.tensor(np.tri(n, dtype=bool) & ~np.tri(n, k=-window, dtype=bool))
    return model(torch.tensor([tokens]), among=among).logits[0, -1]


def test_a_sliding_cache_forgets_and_refuses_what_it_cannot_take_back(model):
    cache, tokens = SlidingCache(SHAPE, 3, slack=2, dtype=torch.float64), [0, 1, 2, 3, 4, 1, 2, 3]
    for i, token in enumerate(tokens):
        out = model(torch.tensor([[token]]), cache=cache).logits[0, -1]
        np.testing.assert_allclose(out, windowed(model, tokens[: i + 1], 3), atol=1e-10)
    cache.truncate(6)  # two rows: what the slack allows
    out = model(torch.tensor([[4, 4]]), cache=cache).logits[0, -1]
    np.testing.assert_allclose(out, windowed(model, [*tokens[:6], 4, 4], 3), atol=1e-10)
    with pytest.raises(ValueError, match="can take back at most 2 rows"):
        cache.truncate(5)
    with pytest.raises(ValueError, match="length = 4 needs the rows from 1 on"):
        cache.keep([0, 1, 2, 3])
    held = cache.length
    cache.keep(row for row in range(held))
    assert cache.length == held


@pytest.mark.parametrize("heads", [(4, 1), (4, 2), (4, 4), (2, 1)])
def test_shared_heads_shrink_the_cache_and_nothing_else(heads):
    shape = Shape(5, 16, 2, *heads)
    model, prefix = small_model(shape), (1, 2, 3)
    np.testing.assert_allclose(as_lm(model).next_probs(prefix), fresh(model, prefix), atol=1e-10)
    assert KVCache(shape, 8).keys.shape == (2, heads[1], 8, 16 // heads[0])
    with pytest.raises(ValueError, match="heads of kv_heads"):
        Shape(5, 16, 2, 4, 3)


def test_ref_tabulate_is_the_fresh_forward_of_each_prefix(model):
    prefixes = [(), (1,), (1, 2), (1, 2, 3), (4,), (4, 4, 4, 4), (2, 1)]
    table = tabulate(model, prefixes, batch=2)
    assert set(table) == set(prefixes)
    for prefix, row in table.items():
        np.testing.assert_allclose(row, fresh(model, prefix), atol=1e-10)


def test_layers_return_the_residual_stream(model):
    out = model(torch.tensor([[0, 1, 2]]), layers=(0, 1))
    assert [x.shape for x in out.layers] == [(1, 3, 16)] * 2
    np.testing.assert_allclose(model.norm(out.layers[1]), out.last)
    np.testing.assert_allclose(out.last @ model.embed.weight.T, out.logits)


def test_maps_work_on_a_model_with_a_cache(model):
    cold = Warped(as_lm(model), lambda p: p)
    assert cold.probs_tree((), Tree.chain(0, (1, 2))).shape == (3, 5)
