"""What is committed of a notebook's outputs: text, without anything that changes from run to run.

This is also what nbval compares: both follow tools/nbval_sanitize.cfg.
"""

import re
from pathlib import Path

from nbval.plugin import coalesce_streams, get_sanitize_patterns

UNCHECKED = {"nbval-skip", "nbval-ignore-output"}  # what no test compares is not committed
RULES = Path(__file__).with_name("nbval_sanitize.cfg").read_text(encoding="utf-8")
SANITIZE = get_sanitize_patterns(RULES)


def sanitized(text: str) -> str:
    """Return `text` without what changes from run to run."""
    for pattern, replacement in SANITIZE:
        text = re.sub(pattern, replacement, text)
    return text


def text_only(output):
    """Return an output with its text alone, or None where none is left."""
    if output.output_type == "stream":
        output.text = sanitized(output.text)
        return output
    kept = {k: sanitized(v) for k, v in output.data.items() if k.startswith("text/")}
    output.data, output.metadata = kept, {}
    return output if kept else None


def clean(cell) -> None:
    """Reduce a code cell's outputs and metadata to what is the same at every run."""
    cell.metadata.pop("execution", None)
    if UNCHECKED & set(cell.metadata.get("tags", [])):
        cell.outputs = []
    outputs = (text_only(output) for output in coalesce_streams(cell.outputs))
    cell.outputs = [output for output in outputs if output is not None]
