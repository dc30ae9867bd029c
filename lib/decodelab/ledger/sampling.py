"""Figures of pages 03a and 03b, drawing and shaping."""

import math
from functools import cache, partial

import numpy as np

from decodelab import city, citygpt, dists, exact
from decodelab.models import map_rows, tabulate
from decodelab.rng import NumpyRng
from decodelab.sampling import CountingUniform, alias_table, cdf_search, gumbel, linear_scan, plackett_luce

P = np.array([0.5, 0.3, 0.2])
WITH_TEN = (0.5, 0.3, 0.1, 0.05, 0.05)


@cache
def table(name: str) -> dict:
    """The rows of the oracle or of the transformer."""
    return tabulate(city.oracle(), city.prefixes()) if name == "oracle" else citygpt.rows("target")


@cache
def standing(name: str, *maps) -> city.Standing:
    """How a model stands to the language after the maps, in their order."""
    rows = table(name)
    for warp in maps:
        rows = map_rows(rows, warp)
    return city.standing(exact.table_law(rows, end=city.END, legal=city.is_prefix))


@cache
def of(warp, **level):
    """One map with its level; the same object for the same level, so that `standing` remembers."""
    return partial(warp, **level)


def heat(T):
    return of(dists.temperature, T=T)


def nucleus(mass):
    return of(dists.top_p, mass=mass)


def plain(p):
    """The row as it is."""
    return p


@cache
def tail() -> np.ndarray:
    """A long-tailed law of 1,000 tokens in no particular order."""
    return dists.normalise(1 / (1 + np.argsort(NumpyRng(0).uniform(1000))))


def comparisons(draw, p) -> float:
    """Expected comparisons of a method, run once in each token's slice."""
    middles, total = np.cumsum(p) - p / 2, 0.0
    for u, mass in zip(middles, p, strict=True):
        counting = CountingUniform(u)
        draw(p, counting)
        total += mass * counting.count[0]
    return float(total)


def by_halving(p, u):
    return cdf_search(np.cumsum(p), u)


def alias_comparisons() -> int:
    """Comparisons of one draw from an alias table."""
    u = CountingUniform(0.5)
    alias_table(tail()).draw(u)
    return u.count[0]


def gumbel_grid(side: int) -> float:
    """Distance of Gumbel-max from its row on a grid of midpoints."""
    points = gumbel((np.arange(side) + 0.5) / side)
    mesh = np.stack(np.meshgrid(points, points, points, indexing="ij"), -1).reshape(-1, 3)
    seen = np.bincount((np.log(P) + mesh).argmax(axis=1), minlength=3) / len(mesh)
    return float(dists.tv(seen, P))


def branches(T) -> float:
    """Entropy of two branches, .6 into a hundred equal texts and .4 into one, at temperature T."""
    first = dists.temperature([0.6, 0.4], T)
    return float(dists.entropy(first) + first[0] * math.log(100))


def kept(row) -> int:
    return int((np.asarray(row) > 0).sum())


ORACLE, NET = partial(standing, "oracle"), partial(standing, "transformer")

ENTRIES = {
    "sampling.direct.cost": lambda: math.isclose(
        comparisons(linear_scan, tail()), float(np.minimum(np.arange(1000) + 1, 999) @ tail())
    ),
    "sampling.linear.481": lambda: comparisons(linear_scan, tail()),
    "sampling.binary.1000": lambda: comparisons(by_halving, tail()) <= 10,
    "sampling.alias.one": alias_comparisons,
    "sampling.tv.expected": lambda: float(
        0.5 * np.sqrt(2 * tail() * (1 - tail()) / (math.pi * 20_000)).sum()
    ),
    "sampling.alias.when": lambda: len(alias_table(tail()).keep) > comparisons(linear_scan, tail()),
    "sampling.multinomial": lambda: "torchmultinomial",
    "sampling.ex12.binary": lambda: math.ceil(math.log2(128_256)),
    "sampling.gumbel.identity": lambda: gumbel_grid(160) < 1e-3 < gumbel_grid(5),
    "sampling.gumbel.freq": lambda: gumbel_grid(100),
    "sampling.gumbel.formula": lambda: (
        "page 03a, infinite noise; test_B19_noise_is_finite_and_a_mask_stays_a_mask"
    ),
    "sampling.gumbel.topk": lambda: math.isclose(
        plackett_luce(P, 2)[0, 1] + plackett_luce(P, 2)[1, 0], 18 / 35
    ),
    "sampling.gumbel.reuse": lambda: (
        "page 03a, noise drawn once; test_noise_drawn_once_gives_one_class_for_ever"
    ),
    "sampling.gumbel.correlated": lambda: (
        "page 03a, noise drawn once: the joint law has no mass off its diagonal"
    ),
    "sampling.temp.formula": lambda: np.allclose(
        dists.temperature(P, 0.5), dists.softmax(np.log(P), 0.5), rtol=0, atol=1e-15
    ),
    "sampling.temp.limits": lambda: (
        dists.temperature(P, 0).tolist() == [1, 0, 0]
        and float(dists.entropy(dists.temperature(P, 0.5))) < float(dists.entropy(P))
        and float(dists.entropy(dists.temperature(P, 2))) > float(dists.entropy(P))
    ),
    "sampling.ex8.temperature": lambda: str(tuple(dists.temperature(P, 0.5).round(3).tolist())),
    "sampling.ex8.norm": lambda: float((P**2).sum()),
    "sampling.topk.def": lambda: kept(dists.top_k([0.25] * 4, 2)) == 2,
    "sampling.topp.def": lambda: (
        "page 03b, reaches or exceeds; test_B02_nucleus_stops_when_the_mass_is_met_exactly"
    ),
    "sampling.ex7.topp": lambda: kept(dists.top_p(WITH_TEN, 0.9)) == 3,
    "sampling.ex7.boundary": lambda: (
        "page 03b, reaches or exceeds; test_B02_nucleus_stops_when_the_mass_is_met_exactly"
    ),
    "sampling.exact.law": lambda: math.isclose(
        sum(exact.table_law(table("transformer"), legal=city.is_prefix).probs.values()), NET(plain).legal
    ),
    "sampling.plain.illegal": lambda: 1 - NET(plain).legal,
    "sampling.topp99.valid": lambda: NET(nucleus(0.99)).legal,
    "sampling.topp99.kl": lambda: NET(nucleus(0.99)).kl,
    "sampling.trunc.coverage": lambda: NET(nucleus(0.9)).coverage,
    "sampling.kl.infinite": lambda: math.isinf(NET(nucleus(0.9)).kl),
    "sampling.topk.mismatch": lambda: kept(city.oracle().next_probs(city.encode("the"))),
    "sampling.temp.entropyrise": lambda: NET(heat(0.5)).entropy,
    "sampling.temp.entropy.toy": lambda: "page 03b, cooling; test_law_at_a_temperature",
    "sampling.truncation.pitfall": lambda: (
        "page 03b, light truncation; test_light_truncation_brings_the_model_nearer"
    ),
    "sampling.chat.defaults": lambda: "llama3config",
    "sampling.order": lambda: (
        "page 03b, which comes first; test_B13_the_order_of_temperature_and_top_p_is_the_callers"
    ),
    **{
        f"city.temperature.{T}.entropy": partial(lambda T: ORACLE(heat(T)).entropy, T)
        for T in (0.3, 0.5, 0.7, 1.5, 2.0)
    },
    **{
        f"city.temperature.{T}.t3": partial(lambda T: ORACLE(heat(T)).shares["scene"], T)
        for T in (0.3, 0.5, 0.7, 1.5, 2.0)
    },
    **{
        f"city.topk.{k}.support": partial(lambda k: ORACLE(of(dists.top_k, k=k)).support, k)
        for k in (1, 3, 5, 10)
    },
    **{
        f"city.topk.{k}.entropy": partial(lambda k: ORACLE(of(dists.top_k, k=k)).entropy, k)
        for k in (1, 3, 5, 10)
    },
    **{
        f"city.topp.{m}.entropy": partial(lambda m: ORACLE(nucleus(m)).entropy, m)
        for m in (0.5, 0.8, 0.9, 0.95, 0.99)
    },
    **{
        f"city.topp.{m}.coverage": partial(lambda m: ORACLE(nucleus(m)).coverage, m)
        for m in (0.5, 0.8, 0.9, 0.95, 0.99)
    },
    **{
        f"city.minp.{m}.entropy": partial(lambda m: ORACLE(of(dists.min_p, ratio=m)).entropy, m)
        for m in (0.05, 0.2, 0.5)
    },
    **{
        f"city.minp.{m}.t3": partial(lambda m: ORACLE(of(dists.min_p, ratio=m)).shares["scene"], m)
        for m in (0.05, 0.2, 0.5)
    },
    "city.order.temperature_first.entropy": lambda: ORACLE(heat(0.7), nucleus(0.9)).entropy,
    "city.order.topp_first.entropy": lambda: ORACLE(nucleus(0.9), heat(0.7)).entropy,
}
