"""The process that runs one notebook. It talks to its parent over a pipe, in JSON, never in pickles."""

from __future__ import annotations

import builtins
import importlib
import json
import linecache
import math
import os
import re
import sys
import types

import numpy as np

MAX_OUTPUT = 2_000  # characters of a cell's output that are kept


def work(connection, cells: list[dict], folder: str) -> None:
    """Run `cells` (dicts of index, kind, grade_id, source) and report each one before and after.

    Messages: {"start": i}, then {"end": i, "state": .., "credit": .., "note": .., "output": ..}, and
    {"done": true}. A cell that kills the process has a start and no end: the parent knows which it was.
    """
    if hasattr(os, "setsid"):
        os.setsid()  # a group of its own, so that its children can be stopped with it
    os.chdir(folder)
    _mute()
    session = _Session(_sets(cells))
    for cell in cells:
        _send(connection, {"start": cell["index"]})
        result = session.run(cell)
        _send(connection, {"end": cell["index"], **result})
    _send(connection, {"done": True})
    connection.close()
    os._exit(0)  # not waiting for threads that an answer may have left behind


def _send(connection, message: dict) -> None:
    connection.send_bytes(json.dumps(message).encode("utf-8"))


def _sets(cells: list[dict]) -> list[str]:
    """The sets whose checks are called, such as "ex01"."""
    sources = [cell["source"] for cell in cells if cell["kind"] == "check"]
    return sorted(set(re.findall(r"""check\(["'](ex\w+)\.""", "\n".join(sources))))


def _mute() -> None:
    """Send what bypasses sys.stdout (child processes, C code) nowhere: it could fill a disk."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)


class _Output:
    """Stands in for sys.stdout and keeps the first characters."""

    encoding, errors = "utf-8", "replace"

    def __init__(self):
        self.text, self.lost = "", 0

    def write(self, text: str) -> int:
        text = str(text)
        room = MAX_OUTPUT - len(self.text)
        self.text += text[:room]
        self.lost += max(len(text) - room, 0)
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def shown(self) -> str:
        return self.text + (f"\n[{self.lost} more characters]" if self.lost else "")


class _Session:
    """One namespace for all cells, and the genuine functions put back before each check."""

    def __init__(self, sets: list[str]):
        self.judge, self.verdicts = importlib.import_module("decodelab.grading.answers").judge, []
        for name in sets:  # before the clock of a cell runs
            importlib.import_module(f"decodelab.grading.{name}")
        self.main = types.ModuleType("__main__")
        sys.modules["__main__"] = self.main  # dataclasses and pickles look their module up there
        self.main.__dict__["display"] = print
        self.genuine = None

    def run(self, cell: dict) -> dict:
        """Run one cell; whatever it does short of ending the process is a result."""
        if cell["kind"] == "check":
            self._restore()
        elif self.genuine is None and cell["kind"] == "answer":
            self.genuine = _Genuine()  # taken before the first line of a student runs
        self.verdicts, note, output = [], "", _Output()
        sys.stdout = sys.stderr = output
        try:
            source, note = _without_magics(cell["source"])
            self._execute(source, cell["grade_id"] or f"cell {cell['index']}")
        except BaseException as error:  # exit() and Ctrl-C in a cell end that cell only
            return self._failed(error, cell, note, output)
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        return self._passed(note, output)

    def _execute(self, source: str, name: str) -> None:
        filename = f"<{name}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        exec(compile(source, filename, "exec"), self.main.__dict__)

    def _restore(self) -> None:
        if self.genuine is not None:
            self.genuine.put_back()
        self.main.__dict__["check"] = self._check

    def _check(self, name: str, answer, *, student=None):
        verdict = self.judge(name, answer, student=student)
        self.verdicts.append(verdict)

    def _passed(self, note: str, output: _Output) -> dict:
        credit = min((v.credit for v in self.verdicts), default=1.0)
        worst = min(self.verdicts, key=lambda v: v.credit, default=None)
        state, sentence = (worst.state, worst.sentence) if worst else ("right", "")
        note = "; ".join(filter(None, (sentence, note)))
        return {"state": state, "credit": credit, "note": note, "output": output.shown()}

    def _failed(self, error: BaseException, cell: dict, note: str, output: _Output) -> dict:
        state = "name" if isinstance(error, NameError) else "error"
        note = "; ".join(filter(None, (_describe(error, cell), note)))
        return {"state": state, "credit": 0.0, "note": note, "output": output.shown()}


class _Genuine:
    """The contents of modules and classes as they were before any answer ran.

    An answer that assigns into one of them, by accident (`math.log = ...`) or not, does not reach the
    checks. This is no wall against code that looks for a way around it.
    """

    def __init__(self):
        ours = [m for name, m in sys.modules.items() if name.split(".")[0] == "decodelab"]
        self.modules = [(m, dict(vars(m))) for m in (*ours, builtins, math, np)]
        classes = {c for m in ours for c in vars(m).values() if isinstance(c, type)}
        ours_only = [c for c in classes if c.__module__.split(".")[0] == "decodelab"]
        self.classes = [(c, dict(vars(c))) for c in ours_only]

    def put_back(self) -> None:
        for module, contents in self.modules:
            vars(module).update(contents)
            sys.modules[module.__name__] = module
        for cls, contents in self.classes:
            now = vars(cls)
            for name, value in contents.items():
                if now.get(name) is not value and name not in ("__dict__", "__weakref__"):
                    setattr(cls, name, value)


def _describe(error: BaseException, cell: dict) -> str:
    """One line: what was raised, and on which line of the cell."""
    if isinstance(error, SystemExit):
        return "the cell ends the program (exit)"
    if isinstance(error, SyntaxError):
        return f"SyntaxError on line {error.lineno}: {error.msg}"
    line, filename = "", f"<{cell['grade_id']}>"
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            line = f" on line {trace.tb_lineno}"
        trace = trace.tb_next
    text = " ".join(_text(error).split())[:200]
    return f"{type(error).__name__}{line}: {text}"


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its message cannot be shown)"


_MAGIC = re.compile(r"^(\s*)(%|!|\?)|^(\s*)[\w.]+\?+\s*$")


def _without_magics(source: str) -> tuple[str, str]:
    """The source as plain Python, and a note if lines had to be left out (`%`, `!`, `name?`).

    A line of valid Python may start with `%`, so this is tried only if the cell does not compile.
    """
    try:
        compile(source, "<cell>", "exec")
        return source, ""
    except (SyntaxError, ValueError):
        pass
    lines, dropped = source.splitlines(), 0
    for i, line in enumerate(lines):
        if match := _MAGIC.match(line):
            lines[i] = (match[1] or match[3] or "") + "pass"
            dropped += 1
    return "\n".join(lines) + "\n", f"{dropped} notebook commands (%, !) left out" if dropped else ""
