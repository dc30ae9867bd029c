"""The book engine, on a small book built by the real configuration and extension."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from book_links import buttons, check_page, dead_widgets, external_loads, git_files, soup
from decoding_book import MATHJAX_PARTS, lib_hash

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = {"repository": "https://github.com/somebody/book", "branch": "trunk", "tag": "v1"}
PAGES = ["lectures/90_small", "exercises/ex90_small"]
HEAD = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

"""
LECTURE = """\
# A small page

Here $x^2$ is maths.

```{code-cell} ipython3
---
mystnb:
  figure:
    caption: "A line with $p$ in its caption."
  image:
    alt: "A line that rises from 1 to 2."
---
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.show()
```

```{code-cell} ipython3
import time
print("run at", time.time_ns())
```
"""
EXERCISE = """\
# A small exercise

```{code-cell} ipython3
raise NotImplementedError("write this function")
```
"""
TOC = {
    "format": "jb-book",
    "root": "book/index",
    "parts": [{"caption": "All", "chapters": [{"file": page} for page in PAGES]}],
}


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def small_book(root: Path, lecture: str = LECTURE) -> Path:
    """Lay out a book of three pages in `root` with this repository's engine."""
    shutil.copytree(ROOT / "book/_ext", root / "book/_ext")
    shutil.copy(ROOT / "book/_toc.yml", root / "book/_toc.yml")
    shutil.copy(ROOT / "_config.yml", root / "_config.yml")
    write(root / "_toc.yml", yaml.safe_dump(TOC))
    write(root / "book/references.bib", "")
    write(root / "book/index.md", "# A small book\n")
    write(root / "lib/decodelab/address.json", json.dumps(ADDRESS))
    for page, text in zip(PAGES, [lecture, EXERCISE], strict=True):
        write(root / f"{page}.md", HEAD + text)
        write(root / f"{page}.ipynb", '{"cells": [], "nbformat": 4, "nbformat_minor": 5}')
    return root


def build(root: Path) -> subprocess.CompletedProcess:
    """Run `jupyter-book build book/` in `root`."""
    environment = {k: v for k, v in os.environ.items() if k != "MPLBACKEND"}
    environment["PYTHONUTF8"] = "1"
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    return subprocess.run(
        [*command, "build", "book/"],
        cwd=root,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=300,
    )


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Path:
    """A small book, in git and built, with a stand-in for the MathJax that npm installs."""
    root = small_book(tmp_path_factory.mktemp("book"))
    for part in MATHJAX_PARTS:
        part = part if part.endswith(".js") else f"{part}/some.js"
        write(root / "node_modules/mathjax/es5" / part, "// a stand-in\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "lectures", "exercises", "book"], cwd=root, check=True)
    run = build(root)
    assert run.returncode == 0, run.stdout + run.stderr
    return root


@pytest.mark.slow
@pytest.mark.parametrize("page", ["book/index", *PAGES])
def test_book_buttons_lead_to_tracked_files(book, page):
    """B92: Colab, Binder, edit, source, issue and download; pages outside book/ included."""
    check_page(book / "_build/html", page, book, git_files(book), ADDRESS)


@pytest.mark.slow
def test_book_offers_the_committed_notebook_for_download(book):
    for page in PAGES:
        offered = book / f"_build/html/_sources/{page}.ipynb"
        assert offered.read_bytes() == (book / f"{page}.ipynb").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_book_serves_mathjax_itself(book, page):
    html = book / f"_build/html/{page}.html"
    assert external_loads(html) == set()
    assert (book / "_build/html/_static/mathjax/tex-mml-chtml.js").is_file()
    if page == PAGES[0]:
        scripts = [s["src"] for s in soup(html).select("script[src]")]
        assert any(s.startswith("../_static/mathjax/tex-mml-chtml.js") for s in scripts)


@pytest.mark.slow
def test_book_shows_caption_and_alt_text(book):
    page = soup(book / f"_build/html/{PAGES[0]}.html")
    figure = page.select_one("figure")
    assert figure.img["alt"] == "A line that rises from 1 to 2."
    assert "in its caption" in figure.figcaption.get_text()


@pytest.mark.slow
def test_book_does_not_run_exercises(book):
    page = soup(book / f"_build/html/{PAGES[1]}.html")
    assert "write this function" in page.get_text()
    assert not page.select(".cell_output")


@pytest.mark.slow
def test_book_has_no_dead_widgets(book):
    """B95, on the small book; tests/test_book_site.py reads the real one."""
    assert not dead_widgets(book / f"_build/html/{PAGES[0]}.html")


def shown_time(root: Path) -> str:
    """Return the time that the small lecture shows as its last run."""
    text = soup(root / f"_build/html/{PAGES[0]}.html").get_text()
    return text.split("run at ")[-1].split()[0]


@pytest.mark.slow
def test_book_reruns_pages_when_the_library_changes(book):
    """B96, second half: no old numbers from the cache, but no needless runs either."""
    first = shown_time(book)
    assert build(book).returncode == 0
    assert shown_time(book) == first
    write(book / "lib/decodelab/new.py", "x = 1\n")
    assert build(book).returncode == 0
    assert shown_time(book) != first


@pytest.mark.slow
def test_book_without_npm_takes_mathjax_from_its_cdn(tmp_path):
    root = small_book(tmp_path)
    pair, html = root / f"{PAGES[0]}.ipynb", root / f"_build/html/{PAGES[0]}.html"
    notebook = pair.read_bytes()
    pair.unlink()
    assert build(root).returncode == 0
    loads = external_loads(html)
    assert len(loads) == 1 and loads.pop().endswith("/es5/tex-mml-chtml.js")
    # The same page, before and after its notebook exists: no dead button, and no missing one.
    assert "colab" not in buttons(html)
    pair.write_bytes(notebook)
    assert build(root).returncode == 0
    assert "colab" in buttons(html)


@pytest.mark.slow
def test_book_fails_twice_when_a_cell_fails(tmp_path):
    """B96: a failing cell is no warning, and the second build does not hide it."""
    cell = '\n```{code-cell} ipython3\nraise ValueError("on purpose")\n```\n'
    root = small_book(tmp_path, LECTURE + cell)
    for _ in range(2):
        run = build(root)
        assert run.returncode != 0
        assert "on purpose" in run.stdout + run.stderr


def test_book_sets_the_cell_timeout():
    """B97: cells would die after 30 s by default."""
    execute = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["execute"]
    assert isinstance(execute["timeout"], int) and execute["timeout"] >= 60
    assert execute["raise_on_error"] is True


@pytest.mark.parametrize("name", ["a.py", "a.js", "a.css", "data/a.csv", "a.json"])
def test_book_lib_hash_follows_every_kind_of_file(tmp_path, name):
    write(tmp_path / "lib/decodelab" / name, "1")
    first = lib_hash(tmp_path)
    assert lib_hash(tmp_path) == first
    write(tmp_path / "lib/decodelab" / name, "2")
    assert lib_hash(tmp_path) != first
    assert lib_hash(ROOT) == lib_hash(ROOT)
