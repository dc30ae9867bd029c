"""Time the code of every lecture in a plain process, and record it: python bench/pages.py

Writes lib/decodelab/ledger/recorded/pages.json (device, date, command, versions, seconds a page), which
the ledger's row on run times reads. Imports count; figures are drawn and thrown away.
"""

import json
import os
import platform
import subprocess
import sys
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path

import jupytext

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "lib" / "decodelab" / "ledger" / "recorded" / "pages.json"


def code_of(page: Path) -> str:
    """The code cells of a text notebook as one script."""
    cells = jupytext.read(page).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "code")


def seconds_of(page: Path) -> float:
    """Wall-clock seconds of the page's code, start of Python included."""
    environment = {**os.environ, "MPLBACKEND": "agg"}
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code_of(page)], check=True, env=environment, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - started


def device() -> str:
    """The processor in words, as the machine itself says it."""
    return f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {platform.system()}"


def main() -> None:
    """Time all pages and write the record."""
    pages = [{"page": p.stem, "seconds": round(seconds_of(p), 2)} for p in sorted(ROOT.glob("lectures/*.md"))]
    record = {
        "device": device(),
        "date": date.today().isoformat(),
        "command": "python bench/pages.py",
        "versions": {name: version(name) for name in ("numpy", "scipy", "matplotlib")}
        | {"python": platform.python_version()},
        "pages": pages,
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n")
    print(json.dumps(pages, indent=1))


if __name__ == "__main__":
    main()
