"""How much memory a process and its children hold, with what the system offers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

try:
    import psutil
except ImportError:  # the extra [grading] brings it
    psutil = None

__all__ = ["can_watch", "resident_bytes"]


def can_watch() -> bool:
    """Is there a way to read the resident size of another process here?"""
    return psutil is not None or Path("/proc/self/statm").exists() or shutil.which("ps") is not None


def resident_bytes(pid: int) -> int:
    """The resident size of process `pid` (with psutil: and of its children); 0 if it cannot be read."""
    if psutil is not None:
        return _with_psutil(pid)
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        return _from_proc(status)
    if shutil.which("ps"):
        done = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True)
        return int(done.stdout.strip() or 0) * 1024
    return 0


def _with_psutil(pid: int) -> int:
    try:
        process = psutil.Process(pid)
        total = process.memory_info().rss
        return total + sum(_own(child) for child in process.children(recursive=True))
    except psutil.Error:
        return 0


def _own(process) -> int:
    try:
        return process.memory_info().rss
    except psutil.Error:
        return 0


def _from_proc(status: Path) -> int:
    try:
        lines = status.read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    sizes = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(sizes[0]) * 1024 if sizes else 0
