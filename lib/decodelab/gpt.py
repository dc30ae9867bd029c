"""A small transformer that can be read in a sitting, its cache, its training, and its `LM` adapter.

Decoder-only, with rotary positions, grouped queries and tied embeddings. The same forward reads a text, a
few more tokens after a cache, or a tree of drafted tokens; a mask and position ids tell it which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from decodelab.cached import CachedLM
from decodelab.dists import softmax
from decodelab.kvcache import KVCache
from decodelab.tree import Prefix

__all__ = ["GPT", "GPTBackend", "Output", "Shape", "as_lm", "seeded", "tabulate"]


@dataclass(frozen=True)
class Shape:
    """Sizes of a transformer. `heads` query heads share `kv_heads` heads of keys and values."""

    vocab_size: int
    width: int
    layers: int
    heads: int
    kv_heads: int

    def __post_init__(self):
        if min(self.vocab_size, self.width, self.layers, self.heads, self.kv_heads) < 1:
            raise ValueError(f"sizes must be at least 1, got {self}")
        if self.width % (2 * self.heads) or self.heads % self.kv_heads:
            raise ValueError(f"width must be a multiple of 2 * heads, and heads of kv_heads, got {self}")

    @property
    def head_dim(self) -> int:
        """Width of one head."""
        return self.width // self.heads


@dataclass(frozen=True)
class Output:
    """What a forward returns: `logits` (B, n, V), and features, each (B, n, width)."""

    logits: Tensor
    last: Tensor  # what the LM head reads
    layers: tuple[Tensor, ...]  # the residual stream after the chosen layers


class GPT(nn.Module):
    """The network. `forward` takes token ids (B, n)."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.vocab_size, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width)
        nn.init.normal_(self.embed.weight, std=shape.width**-0.5)

    def forward(
        self,
        tokens: Tensor,
        *,
        cache: KVCache | None = None,
        among: Tensor | None = None,
        positions: Tensor | None = None,
        layers: Sequence[int] = (),
    ) -> Output:
        """Read n tokens, after those in `cache` if there is one.

        `among` (n, n) booleans: which of the new tokens each sees (default: itself and the earlier ones);
        `positions` (n,) ids (default: they follow the cache). `layers`: which residual streams to return.
        """
        n, held = tokens.shape[1], 0 if cache is None else cache.length
        if positions is None:
            positions = torch.arange(held, held + n, device=tokens.device)
        if among is None:
            among = torch.ones(n, n, dtype=torch.bool, device=tokens.device).tril()
        mask = F.pad(among, (held, 0), value=True) if cache is None else cache.mask(among, positions)
        rotary = rotation(positions, self.shape.head_dim, self.embed.weight.dtype)
        x = self.embed(tokens)  # (B, n, width)
        chosen = {}
        for index, block in enumerate(self.blocks):
            x = block(x, rotary, mask, cache, index)
            chosen[index] = x
        if cache is not None:
            cache.advance(positions)
        last = self.norm(x)
        return Output(last @ self.embed.weight.T, last, tuple(chosen[i] for i in layers))


def seeded(shape: Shape, seed: int) -> GPT:
    """Return a new network with the random weights of `seed`; torch's own generator stays as it was."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return GPT(shape)


class Block(nn.Module):
    """Attention, then a two-layer network, each added to the residual stream."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        inner = shape.kv_heads * shape.head_dim
        self.norm_attention, self.norm_mlp = nn.RMSNorm(shape.width), nn.RMSNorm(shape.width)
        self.queries = nn.Linear(shape.width, shape.width, bias=False)
        self.keys = nn.Linear(shape.width, inner, bias=False)
        self.values = nn.Linear(shape.width, inner, bias=False)
        self.out = nn.Linear(shape.width, shape.width, bias=False)
        self.up = nn.Linear(shape.width, 4 * shape.width, bias=False)
        self.down = nn.Linear(4 * shape.width, shape.width, bias=False)

    def forward(self, x: Tensor, rotary: tuple[Tensor, Tensor], mask: Tensor, cache, index: int) -> Tensor:
        x = x + self.attend(self.norm_attention(x), rotary, mask, cache, index)
        return x + self.down(F.gelu(self.up(self.norm_mlp(x))))

    def attend(self, x: Tensor, rotary, mask: Tensor, cache: KVCache | None, index: int) -> Tensor:
        batch, n, _ = x.shape
        heads = self.shape.head_dim
        q = self.queries(x).view(batch, n, -1, heads).transpose(1, 2)  # (B, heads, n, head_dim)
        k = self.keys(x).view(batch, n, -1, heads).transpose(1, 2)  # (B, kv_heads, n, head_dim)
        v = self.values(x).view(batch, n, -1, heads).transpose(1, 2)
        q, k = rotate(q, rotary), rotate(k, rotary)
        if cache is not None:
            k, v = cache.append(index, k, v)  # (1, kv_heads, held + n, head_dim)
        group = self.shape.heads // self.shape.kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(mixed.transpose(1, 2).reshape(batch, n, -1))


def rotation(positions: Tensor, head_dim: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Cosines and sines (n, head_dim / 2) of the rotary angles. Source: Su et al. 2021 (arXiv 2104.09864)."""
    steps = torch.arange(0, head_dim, 2, device=positions.device, dtype=torch.float32) / head_dim
    angles = positions[:, None].float() * 10_000.0**-steps
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(x: Tensor, rotary: tuple[Tensor, Tensor]) -> Tensor:
    """Turn each pair of coordinates of x (..., n, head_dim) by its position's angle."""
    cos, sin = rotary
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


# --- behind the LM interface --------------------------------------------------------------------------


class GPTBackend:
    """A GPT and its cache, for `CachedLM`; logits leave torch here, as float64."""

    def __init__(self, model: GPT, cache: KVCache):
        self.model, self.cache, self.vocab_size = model, cache, model.shape.vocab_size

    @torch.no_grad()
    def feed(self, tokens: Sequence[int], among: np.ndarray, positions: np.ndarray):
        device = self.model.embed.weight.device
        out = self.model(
            torch.tensor([tokens], device=device),
            cache=self.cache,
            among=torch.from_numpy(among).to(device),
            positions=torch.from_numpy(positions).to(device),
        )
        return _float64(out.logits[0]), _float64(out.last[0])

    def keep(self, rows: Sequence[int]) -> None:
        self.cache.keep(rows)


def as_lm(model: GPT, *, capacity: int = 256, start: int = 0) -> CachedLM:
    """`model` as an `LM` with a cache of `capacity` rows; `start` is fed before every prefix."""
    weight = model.embed.weight
    cache = KVCache(model.shape, capacity, dtype=weight.dtype, device=weight.device)
    return CachedLM(GPTBackend(model, cache), start=start)


@torch.no_grad()
def tabulate(
    model: GPT, prefixes: Iterable[Prefix], *, start: int = 0, batch: int = 512
) -> dict[Prefix, np.ndarray]:
    """The rows (V,) after all `prefixes`, in batches of texts: one shared table, for exact sentence laws.

    Only prefixes that no other one extends are fed; causal attention gives the shorter ones on the way.
    """
    wanted = sorted(set(prefixes))
    if not wanted:
        return {}
    texts = [
        p
        for p, after in zip(wanted, [*wanted[1:], None], strict=True)
        if after is None or after[: len(p)] != p
    ]
    table, missing = {}, set(wanted)
    for at in range(0, len(texts), batch):
        group = texts[at : at + batch]
        width = 1 + max(map(len, group))
        padded = [
            (start, *text) + (start,) * (width - 1 - len(text)) for text in group
        ]  # causal: padding is unseen
        laws = softmax(_float64(model(torch.tensor(padded, device=model.embed.weight.device)).logits))
        for text, rows in zip(group, laws, strict=True):
            for n in range(len(text) + 1):
                if text[:n] in missing:
                    missing.discard(text[:n])
                    table[text[:n]] = rows[n]
    return table


def _float64(x: Tensor) -> np.ndarray:
    return x.detach().cpu().double().numpy()
