"""A live figure as one HTML element: alive where scripts run, a picture and a table where they do not.

The element computes with the true p and q in the page. It is a custom element whose tag name carries a
hash of its source, so that several figures, or an old and an edited one, stand side by side. Its own
children are the static fallback. Nothing is loaded from elsewhere and equal calls give equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

__all__ = ["Explorer", "palette"]

# The sources of each figure, in the order in which they are inlined; the style sheets come first.
SOURCES = {
    "samples": (
        "figure.css",
        "measures.js",
        "maths.js",
        "element.js",
        "sample_figure.js",
        "samples.js",
    ),
    "beam": ("figure.css", "beam.css", "search.js", "element.js", "beam.js"),
    "shaping": ("figure.css", "shaping.css", "rows.js", "element.js", "strategy.js", "shaping.js"),
    "language": (
        "figure.css",
        "language.css",
        "rows.js",
        "sentences.js",
        "element.js",
        "strategy.js",
        "language.js",
    ),
}
KEPT_DARK = "table dataframe"  # the book's dark theme puts a pale box round HTML without such a table


@cache
def _read(name: str) -> str:
    return resources.files("decodelab.explorers").joinpath(name).read_text(encoding="utf-8")


def palette(theme: str = "light") -> dict[str, str]:
    """Return the book's colours, from role (target, draft, law, wrong, muted, grid) to "#rrggbb".

    Errors: `ValueError` for a theme other than "light" or "dark".
    """
    if theme not in ("light", "dark"):
        raise ValueError(f'theme must be "light" or "dark", got {theme!r}')
    return {role: shades[theme] for role, shades in json.loads(_read("palette.json")).items()}


def _palette_css(theme: str) -> str:
    return "".join(f"--{role}:{colour};" for role, colour in palette(theme).items())


@cache
def source(name: str) -> str:
    """Return the JavaScript of the figure `name`, style and palette inside, without its tag name."""
    css = f".card{{{_palette_css('light')}}}.card.dark{{{_palette_css('dark')}}}"
    css += re.sub(r"/\*.*?\*/|\n\s*", "", _joined(name, ".css"), flags=re.DOTALL)
    code = re.sub(r"(?m)^\s*//.*\n|^\s+", "", _joined(name, ".js"))
    return f"const CSS = {json.dumps(css)};\n{code}"


def _joined(name: str, ending: str) -> str:
    return "".join(_read(file) for file in SOURCES[name] if file.endswith(ending))


@dataclass(frozen=True)
class Explorer:
    """A live figure, shown by Jupyter and by the book as it is: make it the last line of a cell.

    `name` is its kind; `params` go to its JavaScript as JSON, and `data` with them, which is too long for
    the text form. The rest is the fallback: `image`, PNG bytes, described by `alt`, and `table`, rows of
    text of which the first is the head.
    """

    name: str
    params: dict
    image: bytes
    alt: str
    table: tuple[tuple[str, ...], ...]
    data: dict = field(default_factory=dict)

    def __repr__(self) -> str:
        params = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return f"<explorer {self.name}: {params}>"

    @property
    def tag(self) -> str:
        """The element's tag name; it changes with the figure's source."""
        digest = hashlib.sha256(source(self.name).encode()).hexdigest()[:10]
        return f"decodelab-{self.name}-{digest}"

    def _repr_html_(self) -> str:
        script = f"const TAG = {json.dumps(self.tag)};\n{source(self.name)}"
        if "</script" in script.lower():
            raise ValueError(f"name: the source of {self.name!r} holds a closing script tag")
        params = html.escape(json.dumps(self.params | self.data, sort_keys=True), quote=True)
        return (
            f'<{self.tag} data-params="{params}" data-lm-suppress-shortcuts="true" style="display:block">\n'
            f'{self._fallback()}\n</{self.tag}>\n<script type="module">\n{script}</script>'
        )

    def _fallback(self) -> str:
        picture = base64.b64encode(self.image).decode()
        head, *body = ([html.escape(cell) for cell in row] for row in self.table)
        rows = ["".join(f'<th scope="col">{cell}</th>' for cell in head)]
        rows += [f'<th scope="row">{row[0]}</th>' + "".join(f"<td>{x}</td>" for x in row[1:]) for row in body]
        table = "\n".join(f"<tr>{row}</tr>" for row in rows)
        return (
            f'<img src="data:image/png;base64,{picture}" alt="{html.escape(self.alt, quote=True)}" '
            f'style="max-width:100%;height:auto">\n<div style="overflow-x:auto" tabindex="0">'
            f'<table class="{KEPT_DARK}">\n{table}\n</table></div>'
        )
