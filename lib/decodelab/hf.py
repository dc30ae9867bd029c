"""Any causal language model of Hugging Face transformers as an `LM` (extra `[hf]`).

The same adapter as for the small transformers: it rolls back by itself, reads a tree in one forward, and
counts calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import numpy as np
import torch

from decodelab.cached import CachedLM

__all__ = ["HFBackend", "as_lm"]


def as_lm(model, *, start: int) -> CachedLM:
    """A `transformers` causal LM as an `LM` with a cache; `start` is fed before every prefix (the BOS id).

    Logits are cast up to float64 once. The model keeps its device and dtype: in bfloat16 two forwards of
    different lengths may disagree at a near-tie.
    Errors: `ValueError` for a model whose layers keep only a window, which could not be rolled back.
    """
    return CachedLM(HFBackend(model), start=start)


class HFBackend:
    """A model and its `DynamicCache`, for `CachedLM`."""

    def __init__(self, model):
        from transformers import DynamicCache

        self.model = model.eval()
        # transformers 5.24 renamed the argument; both names are in use.
        renamed = "cache" in inspect.signature(model.forward).parameters
        self._cache_argument = "cache" if renamed else "past_key_values"
        self.vocab_size = model.get_output_embeddings().weight.shape[0]
        self.cache = DynamicCache(config=model.config)
        sliding = [i for i, layer in enumerate(self.cache.layers) if getattr(layer, "is_sliding", False)]
        if sliding:
            raise ValueError(f"model: layers {sliding} keep only a sliding window and cannot be rolled back")

    @torch.no_grad()
    def feed(self, tokens: Sequence[int], among: np.ndarray, positions: np.ndarray):
        device, held = self.model.device, self.cache.get_seq_length()
        seen = np.concatenate([np.ones((len(tokens), held), dtype=bool), among], axis=1)
        mask = torch.zeros(seen.shape, dtype=self.model.dtype, device=device)
        mask.masked_fill_(torch.from_numpy(~seen).to(device), torch.finfo(self.model.dtype).min)
        out = self.model(
            input_ids=torch.tensor([tokens], device=device),
            attention_mask=mask[None, None],
            position_ids=torch.from_numpy(positions)[None].to(device),
            use_cache=True,
            output_hidden_states=True,
            **{self._cache_argument: self.cache},
        )
        return _float64(out.logits[0]), _float64(out.hidden_states[-1][0])

    def keep(self, rows: Sequence[int]) -> None:
        index = torch.tensor(list(rows), dtype=torch.long, device=self.model.device)
        for layer in self.cache.layers:
            layer.keys, layer.values = layer.keys[:, :, index], layer.values[:, :, index]


def _float64(x) -> np.ndarray:
    return x.cpu().double().numpy()
