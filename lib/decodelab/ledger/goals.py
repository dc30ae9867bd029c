"""Figures of page 01, two goals."""

import math

import numpy as np

from decodelab import city, citygpt, dists
from decodelab.gpt import as_lm
from decodelab.ledger import recorded
from decodelab.models import log_prob, tabulate
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import write

ENTRIES = {
    "goals.factorization": lambda: (
        abs(math.fsum(math.exp(log_prob(city.oracle(), s.tokens)) for s in city.sentences()) - 1) < 1e-12
    ),
    "goals.exhaustive.count": lambda: 30_000**20,
    "goals.logits.argmax": lambda: all(
        np.argmax(7 + np.log(row + 1e-300)) == np.argmax(dists.softmax(7 + np.log(row + 1e-300)))
        for row in tabulate(city.oracle(), city.prefixes()).values()
    ),
    "goals.language.size": lambda: len(city.sentences()),
    "goals.language.sum": lambda: math.fsum(float(s.prob) for s in city.sentences()),
    "goals.api.nextprobs": lambda: sum(
        write(ancestral(lm), max_tokens=20, rng=NumpyRng(1))[-1] == city.END
        for lm in (city.oracle(), city.ngram(2), as_lm(citygpt.load("target")))
    ),
    "goals.runtime": lambda: max(page["seconds"] for page in recorded("pages")["pages"]),
    "goals.choice.task": lambda: city.ranking()[0].prob > sum(s.prob**2 for s in city.sentences()),
    "city.n": lambda: len(city.sentences()),
    "city.vocab": lambda: len(city.vocabulary()),
    "city.entropy": lambda: float(dists.entropy([float(s.prob) for s in city.sentences()])),
    "city.length": lambda: float(sum(s.prob * len(s.tokens) for s in city.sentences())),
    "city.best": lambda: float(city.ranking()[0].prob),
}
