"""Live figures: each shows a law that changes under the reader's hands, computed in the page itself.

`samples()` makes the figure of page 00, `beam()` that of page 02, `shaping()` and `language()` those of
page 03b. `decodelab.explorers.detect` recomputes what the first one shows, `beam_steps`, `reshape` and
`city_dots` what the others show.
"""

from decodelab.explorers.base import Explorer, palette
from decodelab.explorers.beam_steps import beam, word_lm
from decodelab.explorers.city_dots import language
from decodelab.explorers.detect import detection, samples_needed
from decodelab.explorers.how_many import samples
from decodelab.explorers.rewind_tape import rewind
from decodelab.explorers.roofline_chart import roofline
from decodelab.explorers.shape_row import shaping

__all__ = [
    "Explorer",
    "beam",
    "detection",
    "language",
    "palette",
    "rewind",
    "roofline",
    "samples",
    "samples_needed",
    "shaping",
    "word_lm",
]
