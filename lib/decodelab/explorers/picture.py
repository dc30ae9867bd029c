"""The static pictures of the live figures: small PNGs in the book's colours, for where no script runs."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np

__all__ = ["png"]

STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}


def png(draw: Callable[..., None], *, size: tuple[float, float], panels: int = 1, colours: int = 32) -> bytes:
    """PNG bytes of the picture that `draw(*axes)` makes on `panels` axes side by side; `size` in inches.

    Errors: those of `draw`.
    """
    # Figure, not pyplot: nothing of the notebook's own figures or settings is touched or read.
    import matplotlib.style
    from matplotlib.figure import Figure

    with matplotlib.style.context(STYLE, after_reset=True):
        figure = Figure(figsize=size, dpi=110, layout="constrained")
        draw(*np.atleast_1d(figure.subplots(1, panels)))
        out = io.BytesIO()
        figure.savefig(out, format="png")
    return _smaller(out, colours)


def _smaller(image: io.BytesIO, colours: int) -> bytes:
    # The picture stands in every page and notebook: few colours take a third of the bytes.
    from PIL import Image

    out = io.BytesIO()
    Image.open(image).convert("RGB").quantize(colours).save(out, format="png", optimize=True)
    return out.getvalue()
