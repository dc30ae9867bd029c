"""Live figures: each shows a law that changes under the reader's hands, computed in the page itself.

`samples()` makes the figure of page 00, `beam()` that of page 02, `shaping()` and `language()` those of
page 03b, `verification()` that of pages 06a and 06c, `museum_samples()` that of the museum.
`decodelab.explorers.detect` recomputes what the first one shows, `beam_steps`, `reshape`, `city_dots`,
`verify_row` and `fault_rows` what the others show.
"""

from decodelab.explorers.base import Explorer, palette
from decodelab.explorers.beam_steps import beam, word_lm
from decodelab.explorers.city_dots import language
from decodelab.explorers.detect import detection, samples_needed
from decodelab.explorers.fault_samples import museum_samples
from decodelab.explorers.how_many import samples
from decodelab.explorers.rewind_tape import rewind
from decodelab.explorers.roofline_chart import roofline
from decodelab.explorers.shape_row import shaping
from decodelab.explorers.verify_chart import verification

__all__ = [
    "Explorer",
    "beam",
    "detection",
    "language",
    "museum_samples",
    "palette",
    "rewind",
    "roofline",
    "samples",
    "samples_needed",
    "shaping",
    "verification",
    "word_lm",
]
