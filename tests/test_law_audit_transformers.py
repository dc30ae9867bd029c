"""A peer under audit: the speculative sampling of Hugging Face transformers, as it is installed.

What is asserted is what is true of it, faults at the edges included; a release that mends one fails here.
"""

import inspect

import numpy as np
import pytest
import torch
from decodelab import exact
from decodelab.exact.standins import standing_in
from decodelab.models import TableLM
from decodelab.rng import NumpyRng, ScriptedRng

transformers = pytest.importorskip(
    "transformers", reason="transformers is not installed: pip install -e .[hf]"
)
utils = pytest.importorskip("transformers.generation.utils")

VERSION = transformers.__version__
LARGEST_FLOAT32 = 1 - 2.0**-24  # the largest number that torch.rand returns in float32
sampler = getattr(utils, "_speculative_sampling", None)
PARAMETERS = inspect.signature(sampler).parameters if sampler else ()
pytestmark = pytest.mark.skipif(
    sampler is None, reason=f"transformers {VERSION} has no _speculative_sampling"
)


def peer(*, dtype=torch.float32, done=False, **options):
    """transformers' function with logits for rows and a batch of one; float32 is what `generate` passes."""

    def verify(p, q, tokens):
        p_logits, q_logits = (row.log().to(dtype)[None] for row in (p, q))  # -inf for an impossible token
        ids = torch.cat([torch.zeros(1, dtype=torch.int64), tokens])[
            None
        ]  # a prompt of one token, and the draft
        flag = (done,) if "is_done_candidate" in PARAMETERS else ()
        emitted, matches = sampler(ids, q_logits, len(tokens), p_logits, *flag, **options)
        assert emitted.shape == (1, int(matches) + 1)
        return emitted[0]

    return exact.from_torch(verify)


def audit(rule, **options):
    return exact.audit(rule, rng=NumpyRng(3), **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_law_of_transformers_is_the_targets(gamma, dtype):
    found = audit(peer(dtype=dtype), shape=gamma)
    assert found.exact and found.way == "lazy uniforms", f"transformers {VERSION}: {found}"
    assert found.tv < 1e-6 and not found.lost
    assert found.counts.accepted == pytest.approx(found.counts.by_rejection, abs=1e-6)
    assert found.counts.own == pytest.approx(1)


def test_law_of_transformers_accepts_an_impossible_token_at_u_0():
    """It keeps a token where u <= p/q: with p = 0, one uniform in 2^24 of float32 does."""
    found = audit(peer())
    impossible = [edge for edge in found.edges if "target probability 0 is emitted" in edge]
    assert len(impossible) == 3, f"transformers {VERSION}: {found}"
    assert "with p = (0, .6, .4), q = (1, 0, 0) and the draft 0: token 0" in impossible[0]
    assert "(draws 0, 0, 0)" in impossible[0]


def test_law_of_transformers_fails_where_the_residual_is_empty():
    """p and q are one row, up to the rounding of two soft-maxes: 0/0, and an error in place of a token."""
    logits = torch.tensor([[[-1.1, 2.1]]])
    q, p = logits.softmax(-1), (logits + 10).softmax(-1)
    assert (p <= q).all() and p[0, 0, 0] / q[0, 0, 0] < LARGEST_FLOAT32
    ids = torch.tensor([[0, 0]])
    flag = (False,) if "is_done_candidate" in PARAMETERS else ()
    with standing_in(ScriptedRng([LARGEST_FLOAT32, 0.5])), pytest.raises(RuntimeError, match="nan"):
        sampler(ids, logits, 1, torch.cat([logits + 10] * 2, dim=1), *flag)
    with standing_in(ScriptedRng([0.5, 0.5])):  # any smaller uniform is answered
        emitted, _ = sampler(ids, logits, 1, torch.cat([logits + 10] * 2, dim=1), *flag)
    assert emitted[0, 0] == 0


@pytest.mark.skipif("is_done_candidate" not in PARAMETERS, reason=f"transformers {VERSION}: the flag is gone")
def test_count_of_transformers_at_the_end_of_a_text():
    """With the flag the last accepted draft takes the place of the bonus token: exact, and one is lost."""
    found = audit(peer(done=True))
    assert found.exact and any("bonus token is missing" in sentence for sentence in found.lost)


@pytest.mark.skipif(
    "assistant_ensemble_weight" not in PARAMETERS, reason=f"transformers {VERSION} has no ensemble weight"
)
@pytest.mark.parametrize("weight", [0.5, 0.9])
def test_law_of_transformers_ensemble_weight_is_a_mixture(weight):
    """The option is documented as lossy: the law is w p + (1 - w) q, and more drafts are kept."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.5, 0.3])
    pair = [(TableLM({}, default=p), TableLM({}, default=q))]
    found = audit(peer(assistant_ensemble_weight=weight), pairs=pair, shape=1)
    assert not found.exact and found.counts.accepted > found.counts.by_rejection
    np.testing.assert_allclose(found.case.law.astype(float), weight * p + (1 - weight) * q, atol=1e-6)


def test_law_tells_transformers_from_a_broken_copy():
    """The negative control: the same wrapper around the same source with one sign changed."""
    source = inspect.getsource(sampler).replace("p_n_plus_1 - q_n_plus_1", "q_n_plus_1 - p_n_plus_1")
    assert source != inspect.getsource(sampler)
    namespace = {"torch": torch}
    exec(source, namespace)

    def verify(p, q, tokens):
        flag = (False,) if "is_done_candidate" in PARAMETERS else ()
        ids = torch.cat([torch.zeros(1, dtype=torch.int64), tokens])[None]
        return namespace[sampler.__name__](ids, q.log()[None], len(tokens), p.log()[None], *flag)[0][0]

    found = audit(exact.from_torch(verify))
    assert not found.exact and found.error is None and found.tv > 1e-3
