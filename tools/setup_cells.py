"""Write the same set-up cell into every lecture and solution, with the repository's address in it.

Usage: python tools/setup_cells.py [--check]
The address stands in lib/decodelab/address.json alone; --check changes nothing and fails on a
cell that differs or is missing.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = """\
```{{code-cell}} ipython3
:tags: [setup, hide-cell]

import importlib.util, os, subprocess, sys
if importlib.util.find_spec("decodelab") is None:  # in Colab: the book's library, nothing else
    source = os.environ.get("DECODELAB_SOURCE", "git+{repository}@{tag}")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", source], check=True)
```"""
SETUP_CELL = re.compile(r"```\{code-cell\}[^\n]*\n:tags: \[setup\b[^\]\n]*\]\n.*?\n```", re.DOTALL)


def setup_cell(root: Path = ROOT) -> str:
    """Return the Markdown of the set-up cell for this repository's address."""
    address = json.loads((root / "lib/decodelab/address.json").read_text(encoding="utf-8"))
    return TEMPLATE.format(**address)


def with_setup_cell(text: str, cell: str) -> str:
    """Return a page's text with its one set-up cell replaced by `cell`."""
    found = len(SETUP_CELL.findall(text))
    if found != 1:
        raise ValueError(f"expected one code cell tagged [setup, hide-cell], found {found}")
    return SETUP_CELL.sub(lambda _: cell, text)


def pages(root: Path = ROOT) -> list[Path]:
    """Return the text notebooks that people edit; exercises/ follows from solutions/."""
    return sorted(p for folder in ("lectures", "solutions") for p in (root / folder).glob("*.md"))


def update(path: Path, cell: str, check: bool) -> str | None:
    """Bring one page up to date; return what was wrong with it, or None."""
    old = path.read_text(encoding="utf-8")
    try:
        new = with_setup_cell(old, cell)
    except ValueError as error:
        return str(error)
    if new == old:
        return None
    if check:
        return "set-up cell is not the one of tools/setup_cells.py: run `make notebooks`"
    path.write_text(new, encoding="utf-8", newline="\n")
    print(f"{path.name}: set-up cell written")
    return None


def main() -> int:
    """Update or check every page; 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail if stale")
    check = parser.parse_args().check
    problems = {path: update(path, setup_cell(), check) for path in pages()}
    for path, problem in problems.items():
        if problem:
            print(f"{path.relative_to(ROOT).as_posix()}: {problem}", file=sys.stderr)
    return int(any(problems.values()))


if __name__ == "__main__":
    sys.exit(main())
