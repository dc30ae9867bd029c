"""The adapter for Hugging Face models, on a tiny network with random weights."""

import numpy as np
import pytest
import torch
from decodelab import drafters, hf, rules
from decodelab.dists import greedy
from decodelab.models import Warped
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import decode, speculate, write
from decodelab.tree import Tree

transformers = pytest.importorskip("transformers")


def tiny(**changes):
    sizes = {
        "vocab_size": 7,
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "tie_word_embeddings": False,
    }
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**{**sizes, **changes}))
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(3.0)
    return model.double().eval()


@pytest.fixture(scope="module")
def model():
    return tiny()


def fresh(model, prefix):
    with torch.no_grad():
        return torch.softmax(model(torch.tensor([[1, *prefix]])).logits[0, -1], -1).numpy()


def test_cached_chained_and_tree_rows_equal_fresh_forwards(model):
    lm, prefix = hf.as_lm(model, start=1), (2, 3, 4)
    assert lm.vocab_size == 7
    np.testing.assert_allclose(lm.next_probs(prefix), fresh(model, prefix), atol=1e-10)
    rows = lm.probs_along(prefix, (5, 6))
    np.testing.assert_allclose(rows, [fresh(model, (*prefix, *(5, 6)[:i])) for i in range(3)], atol=1e-10)
    tree = Tree((4, 1, 2, 3, 4), (-1, 0, 0, 1, 2))
    rows = lm.probs_tree(prefix, tree)
    paths = [(*prefix, *tree.path_tokens(node)) for node in range(5)]
    np.testing.assert_allclose(rows, [fresh(model, path) for path in paths], atol=1e-10)
    before = lm.fed
    np.testing.assert_allclose(
        lm.next_probs((*prefix, 2, 4, 0)), fresh(model, (*prefix, 2, 4, 0)), atol=1e-10
    )
    assert lm.fed == before + 1  # the accepted path 2, 4 was kept
    np.testing.assert_allclose(lm.next_probs((2,)), fresh(model, (2,)), atol=1e-10)
    with torch.no_grad():
        last = model(torch.tensor([[1, 2, 5]]), output_hidden_states=True).hidden_states[-1][0]
    np.testing.assert_allclose(lm.features((2, 5)), last, atol=1e-10)


def test_a_draft_equal_to_the_target_is_always_accepted_and_greedy_text_is_plain(model):
    target, draft = hf.as_lm(model, start=1), hf.as_lm(model, start=1)
    drafter = drafters.chain(draft, 3, start=1)
    steps = decode(
        speculate(target, drafter, rules.rejection, end=-1), end=-1, max_tokens=24, rng=NumpyRng(0)
    )
    assert all(step.accepted == 3 for step in steps)
    other = drafters.chosen(hf.as_lm(tiny(num_hidden_layers=1), start=1), (2, 1), start=1)
    plain = write(ancestral(Warped(hf.as_lm(model, start=1), greedy)), end=-1, max_tokens=20, rng=NumpyRng(0))
    fast = write(
        speculate(hf.as_lm(model, start=1), other, rules.greedy, end=-1),
        end=-1,
        max_tokens=20,
        rng=NumpyRng(0),
    )
    assert fast == plain


def test_a_model_with_a_sliding_window_is_refused():
    config = transformers.MistralConfig(
        vocab_size=7, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, sliding_window=4,
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"layers \[0\] keep only a sliding window"):
        hf.as_lm(transformers.MistralForCausalLM(config), start=1)
