"""The figure `language`: all 9,127 sentences of the city language, re-weighted by a strategy.

The grammar factorises: few rows leave a choice, and a sentence is a way through them. A strategy maps
each row once, and every sentence's probability is a product of the mapped entries. `sentences.js` does
the same in the page.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from decodelab import city, dists
from decodelab.explorers import picture
from decodelab.explorers.base import Explorer, palette
from decodelab.explorers.reshape import check_strategy, in_words, reshaped

__all__ = ["grammar", "language", "law", "standing", "texts"]

FARTHEST = 16.0  # nats: surprisals beyond stand at the edge
GOLDEN, ROOT_TWO = 0.6180339887498949, 0.4142135623730951  # steps that fill an interval evenly


# --- the grammar as rows ----------------------------------------------------------------------------


@cache
def grammar() -> tuple[tuple[tuple[str, float, int], ...], ...]:
    """The rows of the city language that leave a choice, each once; the last is the row of first words.

    A row is a tuple of arcs (words, probability, next), in the order of their tokens: the words up to the
    next choice, and the number of the row that makes it; a sentence of type `city.TYPES[i]` ends with -1 - i.
    """
    types = {sentence.tokens: city.TYPES.index(sentence.type) for sentence in city.sentences()}
    numbers: dict[tuple, int] = {}

    def arc(prefix, token) -> tuple[str, float, int]:
        grown = (*prefix, token)
        while grown not in types and len(forced := np.flatnonzero(oracle.next_probs(grown))) == 1:
            grown = (*grown, int(forced[0]))
        next_row = -1 - types[grown] if grown in types else number(grown)
        return city.decode(grown[len(prefix) :]), float(oracle.next_probs(prefix)[token]), next_row

    def number(prefix) -> int:
        row = tuple(arc(prefix, int(token)) for token in np.flatnonzero(oracle.next_probs(prefix)))
        return numbers.setdefault(row, len(numbers))

    oracle = city.oracle()
    number(())
    return tuple(numbers)


@cache
def _sentences() -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Texts, types (9127,) and arcs on the way (9127, longest), padded by the arc after the last."""
    rows = grammar()
    firsts = np.cumsum([0, *(len(row) for row in rows)])
    found: list[tuple[str, int, list[int]]] = []

    def walk(at: int, words: str, path: list[int]) -> None:
        for i, (more, _, following) in enumerate(rows[at]):
            text, longer = f"{words} {more}".strip(), [*path, int(firsts[at]) + i]
            if following < 0:
                found.append((text, -1 - following, longer))
            else:
                walk(following, text, longer)

    walk(len(rows) - 1, "", [])
    longest = max(len(path) for _, _, path in found)
    paths = [path + [int(firsts[-1])] * (longest - len(path)) for _, _, path in found]
    return tuple(text for text, _, _ in found), np.array([kind for _, kind, _ in found]), np.array(paths)


def texts() -> tuple[str, ...]:
    """The sentences in the order of `law`, which is that of their tokens."""
    return _sentences()[0]


def law(*, T=1.0, k=None, mass=1.0, ratio=0.0, first="temperature") -> np.ndarray:
    """The exact law (9127,) of sentences drawn word by word from the oracle's reshaped rows.

    Parameters and errors: those of `reshape.reshaped`.
    **Law:** exact (closed form: the chain rule on `grammar`); tested against `exact.sentence_law`.
    """
    strategy = {"T": T, "k": k, "mass": mass, "ratio": ratio, "first": first}
    rows = [reshaped(np.array([p for _, p, _ in row]), **strategy) for row in grammar()]
    return np.append(np.concatenate(rows), 1.0)[_sentences()[2]].prod(axis=1)


def standing(q) -> dict:
    """How a law `q` (9127,) stands to the language: entropy, shares (4,), sentences left, mass lost, KL.

    Units: nats. KL is KL(language || q), infinite where a sentence is lost; `lost` is the language's mass
    of the lost sentences.
    """
    p, q = law(), dists.check_probs(q, "q")
    return {
        "entropy": abs(float(dists.entropy(q))),  # not -0.0 where one sentence is left
        "shares": np.bincount(_sentences()[1], weights=q, minlength=len(city.TYPES)),
        "left": int((q > 0).sum()),
        "lost": float(p[q == 0].sum()),
        "kl": float(dists.kl(p, q)),
    }


# --- the figure ---------------------------------------------------------------------------------------


def language(*, T=1.0, k=None, mass=1.0, ratio=0.0, first="temperature") -> Explorer:
    """Return the figure "9,127 sentences, re-weighted", set to this strategy; the reader moves all of it.

    Each word is drawn from the oracle's row at temperature `T` in [0, 2], cut to top-`k` (1 to 11, the
    longest row, or None), to top-p `mass` and to min-p `ratio`, both in [0, 1]; `first` is "temperature" or
    "truncation".
    Errors: `ValueError` naming the argument.
    **Law:** exact, of every sentence.
    """
    longest = max(map(len, grammar()))
    params = check_strategy(T=T, k=k, mass=mass, ratio=ratio, first=first, most=longest)
    q = law(**params)
    stands = standing(q)
    rows = [[list(arc) for arc in row] for row in grammar()]
    data = {"grammar": rows, "types": list(city.TYPES), "most": longest}
    return Explorer("language", params, _picture(q, stands), _alt(params, stands), _table(stands), data)


def _alt(strategy, stands) -> str:
    return (
        f"{stands['left']:,} dots, one for each sentence that is left, by surprisal in nats, in a band for "
        f"each type; a line marks the entropy, {stands['entropy']:.4f} nats. "
        f"{len(texts()) - stands['left']:,} sentences are removed and stand in grey at the right. "
        f"The strategy: {in_words(strategy)}."
    )


def _table(stands) -> tuple[tuple[str, ...], ...]:
    def row(name, s):
        divergence = f"{s['kl']:.4f}" if s["kl"] < np.inf else "infinite"
        return (name, f"{s['entropy']:.4f}", f"{s['left']:,}", divergence, *(f"{x:.4f}" for x in s["shares"]))

    head = ("law", "entropy, nats", "sentences", "KL from the language, nats", *city.TYPES)
    return (head, row("the language", standing(law())), row("re-weighted", stands))


def _picture(q, stands) -> bytes:
    return picture.png(lambda axes: _draw(axes, q, stands["entropy"]), size=(7, 3.2), colours=16)


def _draw(axes, q, entropy) -> None:
    colours, types = palette(), _sentences()[1]
    for i in range(len(city.TYPES)):
        inside = q[types == i]
        crowd = len(inside) > 1000
        at = np.arange(len(inside))
        up = 3 - i + 0.7 * ((at * GOLDEN) % 1 - 0.5)
        side = (0.12 if crowd else 0) * ((at * ROOT_TWO) % 1 - 0.5)
        left = inside > 0
        nats = -np.log(np.where(left, inside, 1)) + side
        look = {"s": 0.6 if crowd else 9, "linewidths": 0}
        axes.scatter(np.minimum(nats[left], FARTHEST), up[left], color=colours["target"], **look)
        strip = FARTHEST + 1 + ((at * ROOT_TWO) % 1)
        axes.scatter(strip[~left], up[~left], color=colours["muted"], **look)
    axes.axvline(entropy, color=colours["wrong"], lw=1.4)
    axes.annotate(f"entropy {entropy:.4f}", (entropy, 3.45), (4, 0), textcoords="offset points")
    axes.set(yticks=range(4), yticklabels=city.TYPES[::-1], ylim=(-0.5, 3.75), xlim=(-0.3, FARTHEST + 2.3))
    axes.set(xlabel="surprisal, nats", xticks=[0, 4, 8, 12, 16, 17.5])
    axes.set_xticklabels(["0", "4", "8", "12", "16+", "removed"])
