"""The city language: 9,127 sentences, every probability known. It is the answer key of the book.

Four types of sentence share ten cities. Token 0 is `.`, which ends a sentence; the other words are
numbered in alphabetical order. All probabilities are Fractions; rows are rounded to float64 once, so
equal options are equal to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from decodelab.exact import SentenceLaw
from decodelab.models import NgramLM, fit_ngram
from decodelab.rng import Rng
from decodelab.tree import Prefix

__all__ = [
    "END",
    "TYPES",
    "CityOracle",
    "Sentence",
    "Standing",
    "decode",
    "encode",
    "is_prefix",
    "ngram",
    "oracle",
    "prefixes",
    "ranking",
    "sentences",
    "standing",
    "tail_trigram",
    "vocabulary",
]

END = 0
TYPES = ("fact", "draw", "scene", "place")

_TYPE_MASS = dict(
    zip(TYPES, (Fraction(8, 100), Fraction(34, 100), Fraction(35, 100), Fraction(23, 100)), strict=True)
)
# city, popularity in ten-thousandths, mass at home in hundredths, state
_CITIES = (
    ("pittsburgh", 1385, 28, "pennsylvania"),
    ("philadelphia", 1250, 14, "pennsylvania"),
    ("boston", 1200, 12, "massachusetts"),
    ("chicago", 1200, 10, "illinois"),
    ("seattle", 1050, 9, "washington"),
    ("austin", 900, 7, "texas"),
    ("houston", 900, 6, "texas"),
    ("denver", 800, 5, "colorado"),
    ("miami", 700, 5, "florida"),
    ("portland", 615, 4, "oregon"),
)
_WHO = (("visitors", Fraction(6, 10)), ("students", Fraction(4, 10)))
_THINGS = ("bridges", "rivers", "hills", "food", "music", "parks", "beaches", "coffee")
_THING_MASS = (Fraction(50, 100), Fraction(25, 100), Fraction(15, 100), Fraction(10, 100))
_DETERMINERS = (("a", Fraction(6, 10)), ("one", Fraction(4, 10)))
_PLACES = ("famous university", "busy airport", "large stadium", "new subway")
_PLACE_MASS = (Fraction(7, 10), Fraction(3, 10))
_ADJECTIVES = ("old", "quiet", "famous", "busy", "little", "grand")
_NOUNS = ("museum", "market", "theater", "library", "garden")
_VERBS = ("opens", "closes", "shines", "changes", "sleeps", "grows")
_SEASONS = ("spring", "summer", "autumn", "winter", "monday")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the language: its text, tokens, exact probability, type (of `TYPES`) and city."""

    text: str
    tokens: Prefix
    prob: Fraction
    type: str
    city: str


# --- grammar ----------------------------------------------------------------------------------------


def _facts() -> Iterator[tuple[str, Fraction, str]]:
    for city, popularity, _, state in _CITIES:
        yield f"{city} is a city in {state} .", Fraction(popularity, 10_000), city


def _draws() -> Iterator[tuple[str, Fraction, str]]:
    for k, (city, popularity, _, _) in enumerate(_CITIES):
        for (g, (who, who_mass)), (i, mass) in product(enumerate(_WHO), enumerate(_THING_MASS)):
            thing = _THINGS[(4 * g + i + k) % 8]
            yield (
                f"{city} draws {who} with its {thing} .",
                Fraction(popularity, 10_000) * who_mass * mass,
                city,
            )


def _scenes() -> Iterator[tuple[str, Fraction, str]]:
    filler = Fraction(1, len(_ADJECTIVES) * len(_NOUNS) * len(_VERBS) * len(_SEASONS))
    for adjective, noun, (city, _, home, _), verb, season in product(
        _ADJECTIVES, _NOUNS, _CITIES, _VERBS, _SEASONS
    ):
        text = f"the {adjective} {noun} near the river in {city} {verb} every {season} ."
        yield text, filler * Fraction(home, 100), city


def _places() -> Iterator[tuple[str, Fraction, str]]:
    for k, (city, popularity, _, _) in enumerate(_CITIES):
        for g, (determiner, det_mass) in enumerate(_DETERMINERS):
            sole = k >= 7 and determiner == "one"  # the three smallest cities have one place of a kind
            for i, mass in enumerate((Fraction(1),) if sole else _PLACE_MASS):
                place = _PLACES[(2 * g + i + k) % 4]
                text = f"{city} has {determiner} {place} downtown ."
                yield text, Fraction(popularity, 10_000) * det_mass * mass, city


_GRAMMAR = dict(zip(TYPES, (_facts, _draws, _scenes, _places), strict=True))


# --- words and sentences ------------------------------------------------------------------------------


@cache
def _texts() -> tuple[tuple[str, Fraction, str, str], ...]:
    return tuple(
        (text, _TYPE_MASS[kind] * mass, kind, city) for kind in TYPES for text, mass, city in _GRAMMAR[kind]()
    )


@cache
def vocabulary() -> tuple[str, ...]:
    """The 71 words by id: `.` first, the rest in alphabetical order."""
    words = {word for text, *_ in _texts() for word in text.split()} - {"."}
    return (".", *sorted(words))


@cache
def _ids() -> dict[str, int]:
    return {word: token for token, word in enumerate(vocabulary())}


def encode(text: str) -> Prefix:
    """Words, separated by blanks, as token ids.

    Errors: `ValueError` naming the word that the language does not have.
    """
    try:
        return tuple(_ids()[word] for word in text.split())
    except KeyError as error:
        raise ValueError(f"text has the word {error.args[0]!r}, which is not in the city language") from None


def decode(tokens: Prefix) -> str:
    """Token ids as words separated by blanks. Errors: `ValueError` for an id outside the vocabulary."""
    for token in tokens:
        if not 0 <= token < len(vocabulary()):
            raise ValueError(f"tokens holds {token!r}, which lies outside [0, {len(vocabulary())})")
    return " ".join(vocabulary()[token] for token in tokens)


@cache
def sentences() -> tuple[Sentence, ...]:
    """All 9,127 sentences, in grammar order (facts, draws, scenes, places)."""
    return tuple(Sentence(text, encode(text), prob, kind, city) for text, prob, kind, city in _texts())


@cache
def ranking() -> tuple[Sentence, ...]:
    """All sentences, the most probable first; ties by token ids. This is exhaustive search."""
    return tuple(sorted(sentences(), key=lambda s: (-s.prob, s.tokens)))


# --- the oracle -----------------------------------------------------------------------------------------


@cache
def _prefix_mass() -> dict[Prefix, Fraction]:
    mass: dict[Prefix, Fraction] = {}
    for sentence in sentences():
        for t in range(len(sentence.tokens) + 1):
            prefix = sentence.tokens[:t]
            mass[prefix] = mass.get(prefix, 0) + sentence.prob
    return mass


def is_prefix(tokens: Prefix) -> bool:
    """Does a sentence of the language start with `tokens` (or equal them)?"""
    return tuple(tokens) in _prefix_mass()


@cache
def prefixes() -> tuple[Prefix, ...]:
    """The 13,409 prefixes that have a next token, the empty one included; shorter before longer."""
    return tuple(sorted((p for p in _prefix_mass() if not p or p[-1] != END), key=lambda p: (len(p), p)))


class CityOracle:
    """The true law of the city language as a model (the `LM` interface).

    After a prefix that no sentence starts with, the oracle ends the sentence: P(`.`) = 1.
    """

    def __init__(self):
        self.vocab_size = len(vocabulary())
        self._rows = {prefix: np.zeros(self.vocab_size) for prefix in prefixes()}
        mass = _prefix_mass()
        for grown in mass:
            if grown:
                self._rows[grown[:-1]][grown[-1]] = float(mass[grown] / mass[grown[:-1]])
        self._end = np.zeros(self.vocab_size)
        self._end[END] = 1.0
        for row in (*self._rows.values(), self._end):
            row.setflags(write=False)  # the rows are shared; nobody may write into them

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        return self._rows.get(tuple(prefix), self._end)


@cache
def oracle() -> CityOracle:
    """The oracle, built once."""
    return CityOracle()


# --- how a strategy stands to the language -------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """A law of sentences beside the language's own.

    `legal` mass of sentences of the language; `support` how many of them can be written, and `coverage`
    their mass in the language; `kl` from the language to the law, in nats (infinite when a sentence is
    lost); `entropy` of the law in nats, the illegal class counted as one outcome; `shares` of the types
    among legal sentences.
    """

    legal: float
    support: int
    coverage: float
    kl: float
    entropy: float
    shares: dict[str, float]


def standing(law: SentenceLaw) -> Standing:
    """Compare a law of sentences with the language. **Law:** exact."""
    written = [(s, law.probs.get(s.tokens, 0.0)) for s in sentences()]
    legal = math.fsum(mass for _, mass in written)
    lost = any(mass == 0 for _, mass in written)
    masses = [mass for _, mass in written if mass > 0] + [law.illegal] * (law.illegal > 1e-12)
    return Standing(
        legal=legal,
        support=sum(mass > 0 for _, mass in written),
        coverage=math.fsum(float(s.prob) for s, mass in written if mass > 0),
        kl=math.inf if lost else math.fsum(float(s.prob) * math.log(s.prob / mass) for s, mass in written),
        entropy=math.fsum(-mass * math.log(mass) for mass in masses) + 0.0,  # no minus zero
        shares={kind: math.fsum(m for s, m in written if s.type == kind) / legal for kind in TYPES},
    )


# --- models that know less --------------------------------------------------------------------------------


@cache
def ngram(order: int) -> NgramLM:
    """The exact n-gram of the language: its conditionals, weighted by the sentence probabilities."""
    weights = {sentence.tokens: sentence.prob for sentence in sentences()}
    return fit_ngram(weights, order, vocab_size=len(vocabulary()), end=END)


def tail_trigram(*, samples: int = 20_000, smoothing: float = 0.05, rng: Rng) -> NgramLM:
    """A trigram learned from sampled sentences with add-lambda smoothing: a model with a tail.

    Every word keeps a little probability everywhere, so the model can write what the language cannot.
    """
    below = np.cumsum([float(sentence.prob) for sentence in sentences()])
    drawn = np.searchsorted(below, rng.uniform(samples), side="right")
    counts: dict[Prefix, int] = {}
    for index in np.minimum(drawn, len(sentences()) - 1):  # the last sum may miss 1 by rounding
        sentence = sentences()[index].tokens
        counts[sentence] = counts.get(sentence, 0) + 1
    return fit_ngram(counts, 3, vocab_size=len(vocabulary()), end=END, smoothing=smoothing)
