"""Rules for the pages people write: readable in Colab, cited, captioned, self-contained."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import jupytext
import nbformat
import pytest
import setup_cells
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from nbclient import NotebookClient
from pybtex.database import parse_file

ROOT = Path(__file__).resolve().parents[1]
PAGES = setup_cells.pages()
MAX_LINES, MAX_ANSWER_LINES, MAX_SETUP_LINES, MAX_WIDTH = 15, 20, 6, 90  # wider code scrolls sideways
each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
# What Colab shows as raw text: roles, directives, targets, comments.
MYST_ONLY = {"myst_role", "colon_fence", "myst_target", "myst_line_comment"}
MARKDOWN = MarkdownIt("commonmark").use(myst_role_plugin).use(myst_block_plugin)
MARKDOWN.use(colon_fence_plugin).use(dollarmath_plugin).use(front_matter_plugin)
# Colab has the notebook alone: no files beside it, no import path of ours.
NOT_ALONE = re.compile(r"\.\./|\bopen\(|read_csv\(|read_text\(|np\.load|sys\.path|^\s*from \.", re.M)
WIDGETS = re.compile(r"\binteract(?:ive)?\(|\bwidgets\.\w")


@cache
def cells(path: Path, kind: str) -> list:
    """Return the cells of one kind of a text notebook."""
    return [cell for cell in jupytext.read(path).cells if cell.cell_type == kind]


def tokens(markdown: str):
    """Yield all Markdown tokens, inline ones included."""
    for token in MARKDOWN.parse(markdown):
        yield token
        yield from token.children or []


def myst_only(markdown: str) -> list[str]:
    """Return what in `markdown` only MyST understands."""
    bad = [t for t in tokens(markdown) if t.type in MYST_ONLY]
    bad += [t for t in tokens(markdown) if t.type == "fence" and t.info.startswith("{")]
    return [t.info or t.content or t.type for t in bad]


def targets(markdown: str) -> list[str]:
    """Return the addresses of all links and pictures."""
    return [str(t.attrs.get("href") or t.attrs.get("src") or "") for t in tokens(markdown)]


@cache
def cited() -> set[str]:
    """Return the arXiv numbers and DOIs of the bibliography, in lower case."""
    entries = parse_file(str(ROOT / "book/references.bib")).entries.values()
    fields = (entry.fields.get(key) for entry in entries for key in ("eprint", "doi"))
    return {field.lower() for field in fields if field}


def reference(address: str) -> str | None:
    """Return the arXiv number or DOI that an address names, or None."""
    found = re.search(r"arxiv\.org/(?:abs|pdf)/([^\s?#]+?)(?:v\d+)?(?:\.pdf)?$", address)
    found = found or re.search(r"doi\.org/([^\s?#]+)$", address)
    return found[1].lower() if found else None


def uncaptioned(cell) -> list[str]:
    """Return what a cell that shows a figure lacks in its metadata."""
    if "plt.show()" not in cell.source:
        return []
    metadata = cell.metadata.get("mystnb", {})
    fields = {
        "figure.caption": metadata.get("figure", {}).get("caption"),
        "image.alt": metadata.get("image", {}).get("alt"),
    }
    return [f"mystnb.{name}" for name, value in fields.items() if not value]


@each_page
def test_book_page_reads_well_in_colab(path):
    assert not {c.source[:60]: m for c in cells(path, "markdown") if (m := myst_only(c.source))}


@each_page
def test_book_page_is_a_text_notebook(path):
    metadata = jupytext.read(path).metadata
    assert metadata["jupytext"]["text_representation"]["format_name"] == "myst"
    assert metadata["kernelspec"]["name"] == "python3"


@each_page
def test_book_page_starts_with_the_set_up_cell(path):
    code = setup_cells.setup_cell().split("\n\n", 1)[1].removesuffix("\n```")
    assert cells(path, "code")[0].source == code
    assert len(code.splitlines()) <= MAX_SETUP_LINES


@each_page
def test_book_page_has_short_cells(path):
    for cell in cells(path, "code"):
        answer = cell.metadata.get("nbgrader", {}).get("solution")
        assert len(cell.source.splitlines()) <= (MAX_ANSWER_LINES if answer else MAX_LINES), cell.source[:60]
    shown = [c for c in cells(path, "code") if not {"setup", "hide-input"} & set(c.metadata.get("tags", []))]
    assert not [line for c in shown for line in c.source.splitlines() if len(line) > MAX_WIDTH]


@each_page
def test_book_page_cites_what_the_bibliography_has(path):
    links = [a for c in cells(path, "markdown") for a in targets(c.source)]
    assert not {a for a in links if (r := reference(a)) and r not in cited()}


@each_page
def test_book_page_captions_its_figures(path):
    assert not {c.source[:60]: m for c in cells(path, "code") if (m := uncaptioned(c))}


@each_page
def test_book_page_stands_alone(path):
    """B93, what can be read off the text; test_book_notebook_runs_alone runs it."""
    assert not [c.source for c in cells(path, "code") if NOT_ALONE.search(c.source)]
    images = [t.attrs["src"] for c in cells(path, "markdown") for t in tokens(c.source) if t.type == "image"]
    assert not [s for s in images if not str(s).startswith(("https:", "data:"))]


@each_page
def test_book_page_tags_its_widgets(path):
    """B95: what needs a kernel is not compared, and the built page is read in test_book_site."""
    with_widgets = [c for c in cells(path, "code") if WIDGETS.search(c.source)]
    tags = [set(c.metadata.get("tags", [])) for c in with_widgets]
    assert all(t & {"nbval-ignore-output", "nbval-skip"} for t in tags)


@pytest.fixture(scope="module")
def fresh_environment(tmp_path_factory) -> dict[str, str]:
    """An environment with every dependency and a kernel of its own, but without decodelab.

    The packages of this environment are seen through a path file. Path files inside them are not
    followed, so that the editable decodelab stays out of sight.
    """
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = next(p for p in folder.glob("venv/*/python*") if p.stem == "python")
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", ask], capture_output=True, encoding="utf-8", check=True)
    parents = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    Path(site.stdout.strip(), "parent.pth").write_text("\n".join(parents), encoding="utf-8")
    kernel = {
        "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Fresh",
        "language": "python",
    }
    spec = folder / "jupyter/kernels/fresh/kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(json.dumps(kernel), encoding="utf-8")
    source = folder / "source"
    shutil.copytree(ROOT / "lib", source / "lib", ignore=shutil.ignore_patterns("*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT"):
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, source)
    return {
        "JUPYTER_PATH": str(folder / "jupyter"),
        "DECODELAB_SOURCE": str(source),
        "PIP_NO_DEPS": "1",  # they are there already, as in Colab
        "PIP_NO_BUILD_ISOLATION": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "path", [p for p in PAGES if p.parent.name == "lectures"], ids=lambda path: path.stem
)
def test_book_notebook_runs_alone(path, fresh_environment, tmp_path, monkeypatch):
    """B93: one notebook in an empty folder; its set-up cell installs the library."""
    for name, value in fresh_environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("MPLBACKEND", raising=False)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    notebook = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    probe = "import decodelab; print(decodelab.__file__)"
    notebook.cells.append(nbformat.v4.new_code_cell(probe))
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name="fresh", timeout=600, resources=resources).execute()
    printed = "".join(output.text for output in notebook.cells[-1].outputs)  # a kernel may send it in parts
    assert str(ROOT) + os.sep not in printed
    assert "fresh" in printed


@pytest.mark.parametrize(
    ("markdown", "bad"),
    [
        ("See {ref}`here`.", True),
        (":::{note}\nx\n:::", True),
        ("```{figure} a.png\n```", True),
        ("(label)=\n# Title", True),
        ("% a comment", True),
        ("> **Pitfall.** Say `f'{x}'` and `y`, $p_{i}$ and $$q_{i}$$", False),
        ("```python\nf'{x}'\n```\n\n| a | b |\n|---|---|\n| 1 | [c](https://doi.org/10.1/x) |", False),
    ],
)
def test_book_rule_finds_myst(markdown, bad):
    assert bool(myst_only(markdown)) is bad


def test_book_rule_reads_references():
    assert reference("https://arxiv.org/abs/2211.17192v2") == "2211.17192"
    assert reference("https://arxiv.org/pdf/2211.17192.pdf") == "2211.17192"
    assert reference("https://doi.org/10.1145/ABC") == "10.1145/abc"
    assert reference("https://example.org/2211.17192") is None
    assert "https://doi.org/10.1/x" in targets("Read [it](https://doi.org/10.1/x).")


def test_book_rule_wants_captions_and_no_files():
    bare = nbformat.v4.new_code_cell("plt.plot([1])\nplt.show()")
    assert uncaptioned(bare) == ["mystnb.figure.caption", "mystnb.image.alt"]
    full = {"mystnb": {"figure": {"caption": "c"}, "image": {"alt": "a"}}}
    assert not uncaptioned(nbformat.v4.new_code_cell("plt.show()", metadata=full))
    for line in ('open("x")', 'np.load("x.npy")', 'p = "../data"', "from .a import b"):
        assert NOT_ALONE.search(line)
    assert not NOT_ALONE.search("from decodelab.dists import softmax")


NOISE = re.compile(r"\d(?:\.\d+)?e-(?:1\d|[2-9]\d)(?!\d)")  # digits of a rounding error


@each_page
def test_book_page_prints_no_rounding_error(path):
    """Rounding errors differ between processors: printed, they fail the notebooks on another one."""
    notebook = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    outputs = [o for c in notebook.cells if c.cell_type == "code" for o in c.outputs]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    assert not [line for text in texts for line in text.splitlines() if NOISE.search(line)]


def test_book_rule_finds_rounding_errors():
    assert NOISE.search("largest difference 7e-15") and NOISE.search("gap 2.2e-16.")
    assert not NOISE.search("log-prob -3.3e-05, cut-off 1e-6, id abce-1")
