"""Museum of bugs: faults of speculative decoding that were real, each small, run, and with its exact law.

`EXHIBITS` holds them; `measure(exhibit)` says what one does on a small language and what a benchmark would
have shown. Each exhibit's `wrong` function is the fault itself, to be read: `museum.rules` has the rules,
`museum.drafts` the drafters, `museum.noise` the one whose noise cannot be enumerated. Do not import these
into anything that decodes.
"""

from decodelab.museum.hall import (
    EXHIBITS,
    RIGHT,
    Exhibit,
    Measured,
    first_token,
    measure,
    pair,
    samples_needed,
    truth,
)

__all__ = [
    "EXHIBITS",
    "RIGHT",
    "Exhibit",
    "Measured",
    "first_token",
    "measure",
    "pair",
    "samples_needed",
    "truth",
]
