"""Make the .ipynb beside each text notebook: executed, text outputs only, the same bytes each run.

Usage: python tools/pair.py [--check] [NOTEBOOK.md ...]
Lectures and solutions are executed, exercises are not. --check executes nothing and fails when a
pair is missing or its cells differ from the text.
"""

import argparse
import hashlib
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from jupytext.compare import NotebookDifference, compare_notebooks
from nbclient import NotebookClient
from text_outputs import clean

ROOT = Path(__file__).resolve().parents[1]
KEPT = {"kernelspec", "accelerator", "colab"}


def sources(root: Path = ROOT) -> list[Path]:
    """Return every text notebook of the book."""
    folders = ("lectures", "solutions", "exercises")
    return sorted(p for folder in folders for p in (root / folder).glob("*.md"))


def read(path: Path):
    """Read a text notebook; cell ids follow from content, so that an edit moves no other id."""
    notebook, seen = jupytext.read(path), Counter()
    notebook.metadata = {k: v for k, v in notebook.metadata.items() if k in KEPT}
    for cell in notebook.cells:
        seen[cell.source] += 1
        content = f"{cell.cell_type}\0{cell.source}\0{seen[cell.source]}"
        cell.id = hashlib.sha256(content.encode()).hexdigest()[:8]
    notebook.nbformat_minor = 5
    return notebook


def execute(notebook) -> None:
    """Run all cells in an empty folder: a notebook must not need files beside it."""
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # the kernel of this environment, not a user's
    os.environ.pop("MPLBACKEND", None)  # figures are drawn inline
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()
    notebook.metadata.pop("language_info", None)
    notebook.metadata.pop("widgets", None)


def write_pair(path: Path) -> None:
    """Write the notebook that belongs to one text notebook."""
    notebook = read(path)
    if path.parent.name != "exercises":
        execute(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            clean(cell)
    text = nbformat.writes(notebook, version=4) + "\n"
    path.with_suffix(".ipynb").write_text(text, encoding="utf-8", newline="\n")


def problem(path: Path) -> str | None:
    """Return why a pair is stale, or None."""
    pair = path.with_suffix(".ipynb")
    if not pair.is_file():
        return "no .ipynb beside it"
    try:
        compare_notebooks(nbformat.read(pair, as_version=4), read(path), "md:myst")
    except NotebookDifference as difference:
        return str(difference)
    return None


def main() -> int:
    """Write or check the pairs; 1 if a check finds a stale one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="execute nothing, fail if stale")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all")
    arguments, failed = parser.parse_args(), False
    for path in arguments.notebooks or sources():
        if not arguments.check:
            print(f"{path.name} ...", flush=True)
            write_pair(path)
        elif reason := problem(path):
            print(f"{path}: stale pair, run `make notebooks`: {reason}", file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
