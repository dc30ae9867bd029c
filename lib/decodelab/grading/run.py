"""Running one plan in a process of its own, watched for time and memory, until every cell has a result."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from dataclasses import dataclass

from decodelab.grading.memory import resident_bytes
from decodelab.grading.notebooks import Plan, task_name
from decodelab.grading.worker import work

__all__ = ["Limits", "Result", "Stopped", "run_plan"]

_TICK = 0.05  # seconds between two looks at the clock and the memory
_PATIENCE = 60.0  # seconds for what is not the student's: imports on a slow disk, the master's cells


@dataclass(frozen=True)
class Limits:
    """What one cell may use: wall-clock seconds, and 10^6 bytes of resident memory."""

    seconds: float = 30.0
    megabytes: float = 1500.0


@dataclass(frozen=True)
class Result:
    """What became of one check: `credit` in [0, 1] of its `points`, and one sentence."""

    task: str
    points: float
    credit: float
    state: str
    note: str
    output: str = ""

    @property
    def score(self) -> float:
        return round(self.points * self.credit, 4)


class Stopped(Exception):
    """Grading was interrupted; the worker has been killed."""


def run_plan(plan: Plan, limits: Limits, stop: threading.Event) -> list[Result]:
    """Run all cells of `plan`; a cell that hangs, grows or kills its process is skipped in a new run.

    Errors: `Stopped` if `stop` is set meanwhile.
    """
    done: dict[int, dict] = {}
    lost: set[int] = set()
    while cells := _to_run(plan, done, lost):
        culprit = _one_run(cells, limits, stop, done)
        if culprit is None:
            break
        index, reason = culprit
        if index is None:  # it died outside of any cell: nothing to skip, so nothing more to try
            lost.update(cell["index"] for cell in cells)
            for cell in cells:
                done.setdefault(cell["index"], _stopped(reason))
        else:
            lost.add(index)
            done[index] = _stopped(reason)
    return [_result(plan, done, i) for i, cell in enumerate(plan.cells) if cell.kind == "check"]


def _to_run(plan: Plan, done: dict, lost: set[int]) -> list[dict]:
    """The cells of the next run: all but the lost ones and the checks that have a result."""
    cells = [
        {"index": i, "kind": cell.kind, "grade_id": cell.grade_id, "source": cell.source}
        for i, cell in enumerate(plan.cells)
        if i not in lost and not (cell.kind == "check" and i in done)
    ]
    return cells if any(cell["kind"] == "check" for cell in cells) else []


def _stopped(reason: str) -> dict:
    return {"state": "stopped", "credit": 0.0, "note": reason, "output": ""}


def _one_run(cells, limits: Limits, stop, done: dict) -> tuple[int | None, str] | None:
    """Run cells in a fresh process; return None, or the cell (if any) that ended it and why."""
    context = multiprocessing.get_context("spawn")  # the same on every system
    parent, child = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = context.Process(target=work, args=(child, cells, folder), daemon=True)
        process.start()
        child.close()
        try:
            mine = {cell["index"] for cell in cells if cell["kind"] != "run"}
            return _watch(process, parent, mine, limits, stop, done)
        finally:
            _kill(process)
            parent.close()


def _watch(process, parent, mine: set[int], limits: Limits, stop, done: dict):
    """Listen to the worker until it is done, ends, or exceeds a limit; results go into `done`."""
    current, since = None, time.monotonic()
    while True:
        if stop.is_set():
            raise Stopped
        try:
            message = _receive(parent)
        except (EOFError, OSError, ValueError):
            process.join(5)
            return current, _how_it_ended(process.exitcode)
        if message is None:
            allowed = limits.seconds if current in mine else max(limits.seconds, _PATIENCE)
            if reason := _over(process.pid, time.monotonic() - since, allowed, limits):
                return current, reason
        elif "done" in message:
            return None
        elif "start" in message:
            current, since = message["start"], time.monotonic()
        else:
            done[message["end"]] = message
            current, since = None, time.monotonic()


def _receive(parent) -> dict | None:
    """The next message, or None if there is none within a tick."""
    if not parent.poll(_TICK):
        return None
    message = json.loads(parent.recv_bytes().decode("utf-8"))
    if not isinstance(message, dict) or not {"start", "end", "done"} & set(message):
        raise ValueError(f"message {message!r} is not from the worker")
    return message


def _over(pid: int, seconds: float, allowed: float, limits: Limits) -> str:
    """Which limit is exceeded, in words; empty if none."""
    if seconds > allowed:
        return f"stopped after {allowed:g} s: an infinite loop?"
    if resident_bytes(pid) > limits.megabytes * 1e6:
        return f"stopped at more than {limits.megabytes:g} MB of memory"
    return ""


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"the process was killed ({signal.Signals(-code).name})"
    return f"the process ended itself (exit code {code})"


def _kill(process) -> None:
    """End the worker and, where processes have groups, what it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError, AttributeError):
        process.kill()
    process.join(5)


def _result(plan: Plan, done: dict, index: int) -> Result:
    """The result of one check, with what is to say of the answer cells above it."""
    cell, outcome = plan.cells[index], done.get(index, _stopped("not reached"))
    credit = min(max(float(outcome["credit"]), 0.0), 1.0)
    above = "; ".join(_above(plan, done, index))
    note = outcome["note"]
    if outcome["state"] in ("name", "not written") and above:
        note = above  # a name is unknown because its cell failed: that is the reason to tell
    elif above:
        note = f"{note}; {above}"
    return Result(task_name(cell.grade_id), cell.points, credit, outcome["state"], note, outcome["output"])


def _above(plan: Plan, done: dict, index: int) -> list[str]:
    """What went wrong, or was left out, in the cells between the previous check and this one."""
    remarks: list[str] = []
    for i in range(index - 1, -1, -1):
        cell, note = plan.cells[i], done.get(i, {}).get("note")
        if cell.kind == "check":
            break
        if cell.kind == "answer" and cell.grade_id in plan.missing:
            remarks.insert(0, f"the answer cell {cell.grade_id} is missing")
        elif note:
            where = "the answer cell" if cell.kind == "answer" else "a cell of the exercise"
            remarks.insert(0, f"in {where}: {note}")
    return remarks
