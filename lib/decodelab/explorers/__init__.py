"""Live figures: each shows a law that changes under the reader's hands, computed in the page itself.

`samples()` makes the figure of page 00; `decodelab.explorers.detect` recomputes what it shows.
"""

from decodelab.explorers.base import Explorer, palette
from decodelab.explorers.detect import detection, samples_needed
from decodelab.explorers.how_many import samples

__all__ = ["Explorer", "detection", "palette", "samples", "samples_needed"]
