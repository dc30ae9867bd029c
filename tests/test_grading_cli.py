"""A class on one bad day, graded once from the command line: each notebook gets its score, all are graded."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import exercises
import jupytext
import nbformat
import pytest
from decodelab.grading import report
from decodelab.grading.collect import Submission, collect, missing, read_roster
from decodelab.grading.notebooks import BadNotebook, master_cells, plan
from decodelab.grading.worker import _without_magics

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "solutions/ex01_goals.md"
SECONDS, MEGABYTES = 3, 400

WRONG_GREEDY = "def greedy_token(logits):\n    return 0\n"
ENDLESS = "while True:\n    pass\n"
GROWING = (
    "def law_of_redraw(p):\n"
    "    hoard = []\n"
    "    while True:\n"
    "        hoard.append(bytearray(b'x') * 20_000_000)\n"
)
PATCHES = """
import builtins, math, sys, types
import numpy as np
import decodelab.grading
from decodelab import exact
from decodelab.grading import _checks, _lent, answers, ex01
def yes(*arguments, **named):
    return "yes"
ex01.greedy_token = answers.judge = answers.find = answers.check = decodelab.grading.check = yes
ex01.as_token = _checks.fail = ex01.fail = exact.law = np.array_equal = yes
_lent.Lent.next_probs = yes
answers.Verdict.__init__ = lambda self, *a, **n: self.__dict__.update(state="right", credit=1.0)
builtins.max = math.log = yes
sys.modules["decodelab.grading.ex01"] = types.SimpleNamespace(greedy_token=yes, __all__=["greedy_token"])
check = yes
def greedy_token(logits):
    return 0
"""


def edited(**sources):
    """The solution notebook with the answers of some tasks replaced, and an id that earns points."""
    sources = {"student": 'STUDENT = "somebody"', **sources}
    notebook = jupytext.reads(SOURCE.read_text(encoding="utf-8"), fmt="md:myst")
    for cell in notebook.cells:
        task = cell.metadata.get("nbgrader", {}).get("grade_id", "").removeprefix("ex01-")
        if task in sources:
            cell.source = sources[task]
    return nbformat.writes(notebook)


def without(*grade_ids):
    notebook = nbformat.reads(edited(), as_version=4)
    notebook.cells = [
        c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in grade_ids
    ]
    return nbformat.writes(notebook)


def unmarked():
    notebook = nbformat.reads(edited(), as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    return nbformat.writes(notebook)


def stub():
    text = exercises.exercise(SOURCE.read_text(encoding="utf-8"), SOURCE.name)
    return nbformat.writes(jupytext.reads(text, fmt="md:myst"))


def the_class():
    """Student -> notebook text."""
    me = {name: f'STUDENT = "{name}"' for name in ("good", "twice")}
    greedy = "    import numpy as np\n    if np.isnan(logits).any():\n        raise ValueError\n"
    return {
        "good": edited(student=me["good"]),
        "stub": stub(),
        "exits": edited(log_score="exit()"),
        "exits_inside": edited(log_score="import sys\ndef log_score(lm, s):\n    sys.exit(0)"),
        "interrupts": edited(log_score="raise KeyboardInterrupt"),
        "loops": edited(log_score=ENDLESS),
        "loops_inside": edited(log_score="def log_score(lm, s):\n    " + ENDLESS.replace("\n    ", " ")),
        "grows": edited(law_of_redraw=GROWING),
        "redefines": edited(greedy_token=f"def check(*a, **n):\n    print('right')\n{WRONG_GREEDY}"),
        "patches": edited(greedy_token=PATCHES),
        "dies": edited(log_score="import os\nos._exit(0)"),
        "killed": edited(log_score="import os, signal\nos.kill(os.getpid(), signal.SIGTERM)"),
        "empty": nbformat.writes(nbformat.v4.new_notebook()),
        "zero": "",
        "broken": '{"cells": [',
        "list": "[1, 2]",
        "unmarked": unmarked(),
        "gap": without("ex01-log_score"),
        "magics": edited(greedy_token=f"%matplotlib inline\n!pip list\ndef greedy_token(logits):\n{greedy}"
                         "    return np.argmax(logits)"),
        "noisy": edited(log_score="print('x' * 10_000_000)\nimport os\nos.write(1, b'y' * 100_000)\n1 / 0"),
        "threads": edited(log_score="import threading, time\n"
                          "threading.Thread(target=time.sleep, args=(60,)).start()\n1 / 0"),
        "same_one": edited(student='STUDENT = "same"'),
        "same_two": edited(student='STUDENT = "Same"'),
        "example": edited(student='STUDENT = "your-id"'),
        "no_id": edited(student="STUDENT = None"),
        "syntax": edited(log_score="def log_score(lm, s)\n    return 0"),
    }  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade the class in one run; return records by student, and the folder."""
    base = tmp_path_factory.mktemp("class")
    (base / "exercises").mkdir()
    (base / "exercises/ex01_goals.ipynb").write_text(stub(), encoding="utf-8")
    for student, text in the_class().items():
        folder = base / "submitted" / student / "ex01"
        folder.mkdir(parents=True)
        (folder / "ex01_goals.ipynb").write_text(text, encoding="utf-8")
    flat = base / "submitted"
    (flat / "flät__ex01_goals.ipynb").write_text(edited(), encoding="utf-8")
    (flat / "twice__ex01_goals.ipynb").write_text(stub(), encoding="utf-8")
    os.utime(flat / "twice__ex01_goals.ipynb", (1_000_000_000, 1_000_000_000))
    (flat / "ex01_goals__twice (1).ipynb").write_text(edited(), encoding="utf-8")
    (flat / "ex01_goals.ipynb").write_text(edited(), encoding="utf-8")
    (flat / "notes.ipynb").write_text(edited(), encoding="utf-8")
    roster = base / "students.csv"
    roster.write_text("student\nabsent\n" + "\n".join(the_class()) + "\ntwice\n", encoding="utf-8")
    command = [sys.executable, "-m", "decodelab.grading", "submitted", "-j", "2", "--roster", "students.csv"]
    command += ["--seconds", str(SECONDS), "--megabytes", str(MEGABYTES)]
    utf8 = os.environ | {"PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=base, capture_output=True, encoding="utf-8", env=utf8)
    assert done.returncode == 0, done.stderr
    records = json.loads((base / "grades/grades.json").read_text(encoding="utf-8"))
    return {record["student"]: record for record in records}, base, done.stdout


def points(record):
    return {task["task"].removeprefix("ex01-"): task["points"] for task in record["tasks"]}


def note(record, task):
    return next(t["note"] for t in record["tasks"] if t["task"] == f"ex01-{task}")


def test_all_right_is_all_points(graded):
    good = graded[0]["good"]
    assert (good["total"], good["max"], good["notes"], good["typed_id"]) == (16, 16, [], "good")
    assert good["file"] == "good/ex01/ex01_goals.ipynb"


def test_a_blank_exercise_is_zero(graded):
    record = graded[0]["stub"]
    assert record["total"] == 0
    assert {task["state"] for task in record["tasks"]} == {"not written"}
    assert "no student id was typed in the notebook" in record["notes"]


@pytest.mark.parametrize(
    "student, task, reason",
    [
        ("exits", "log_score", "in the answer cell: the cell ends the program (exit)"),
        ("exits_inside", "log_score", "the cell ends the program (exit)"),
        ("interrupts", "log_score", "in the answer cell: KeyboardInterrupt on line 1"),
        ("loops", "log_score", f"in the answer cell: stopped after {SECONDS} s: an infinite loop?"),
        ("loops_inside", "log_score", f"stopped after {SECONDS} s: an infinite loop?"),
        ("grows", "law_of_redraw", f"stopped at more than {MEGABYTES} MB of memory"),
        ("redefines", "greedy_token", "for logits [1, 3, 2] you return 0"),
        ("patches", "greedy_token", "for logits [1, 3, 2] you return 0"),
        ("dies", "log_score", "in the answer cell: the process ended itself (exit code 0)"),
        ("killed", "log_score", "in the answer cell: the process was killed (SIGTERM)"),
        ("gap", "log_score", "the answer cell ex01-log_score is missing"),
        ("noisy", "log_score", "in the answer cell: ZeroDivisionError on line 4: division by zero"),
        ("threads", "log_score", "in the answer cell: ZeroDivisionError on line 3: division by zero"),
        ("syntax", "log_score", "in the answer cell: SyntaxError on line 1: expected ':'"),
    ],
)
def test_an_accident_costs_its_own_task_and_says_why(graded, student, task, reason):
    if student == "killed" and sys.platform == "win32":
        reason = "in the answer cell: the process ended itself"
    record = graded[0][student]
    assert points(record) == points(graded[0]["good"]) | {task: 0}
    assert note(record, task).startswith(reason)


@pytest.mark.parametrize(
    "student, reason",
    [
        ("empty", "the notebook is empty"),
        ("zero", "the file cannot be read as a notebook: the file is empty"),
        ("broken", "the file cannot be read as a notebook: "),
        ("list", "the file is not a notebook of format 4"),
        ("unmarked", "no cell is marked as an answer"),
        ("absent", "not handed in"),
    ],
)
def test_a_file_that_answers_nothing_is_zero_with_the_reason(graded, student, reason):
    record = graded[0][student]
    assert record["total"] == 0 and record["max"] == 16
    assert record["notes"][0].startswith(reason)
    assert note(record, "log_score").startswith(reason)


def test_a_cell_of_the_exercise_that_fails_is_named_as_the_reason(graded):
    record = graded[0]["no_id"]
    assert record["total"] == 14
    assert "in a cell of the exercise: ValueError: student must be your id" in note(record, "mention")


def test_the_example_id_costs_the_tasks_that_depend_on_it(graded):
    record = graded[0]["example"]
    assert points(record) == points(graded[0]["good"]) | {"mention": 0, "surprisal": 0}
    assert "'your-id' is the example id and earns no points" in note(record, "surprisal")
    assert "no student id was typed in the notebook" in record["notes"]


def test_magics_are_dropped_with_a_note(graded):
    record = graded[0]["magics"]
    assert record["total"] == 16
    assert note(record, "greedy_token").endswith("in the answer cell: 2 notebook commands (%, !) left out")


def test_output_is_kept_short(graded):
    from decodelab.grading.worker import _Output

    output = _Output()
    print("x" * 10_000_000, file=output)
    assert len(output.shown()) < 2_100 and output.shown().endswith("[9998001 more characters]")


def test_the_newest_of_two_counts_and_the_note_says_so(graded):
    record = graded[0]["twice"]
    assert record["total"] == 16 and record["file"] == "ex01_goals__twice (1).ipynb"
    assert record["notes"][0] == "2 files for this set: the newest counts, not twice__ex01_goals.ipynb"


def test_one_id_typed_by_two_is_flagged(graded):
    assert "the id 'same' is also typed by same_two" in graded[0]["same_one"]["notes"]
    assert "the id 'Same' is also typed by same_one" in graded[0]["same_two"]["notes"]


def test_names_outside_ascii_and_the_roster(graded):
    record = graded[0]["flät"]
    assert record["total"] == 16 and "not on the roster" in record["notes"]


def test_the_reports_agree(graded):
    records, base, printed = graded
    with (base / "grades/grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows.keys() == records.keys()
    assert rows["good"]["total"] == "16" and rows["good"]["ex01-sample_sentence"] == "3"
    assert rows["loops"]["ex01-log_score"] == "0" and rows["absent"]["note"] == "not handed in"
    assert len(list((base / "grades/feedback").glob("*.md"))) == len(records)
    feedback = (base / "grades/feedback/loops__ex01_goals.md").read_text(encoding="utf-8")
    assert "**14 of 16 points**" in feedback and "an infinite loop?" in feedback
    assert f"[{len(records) - 1}/{len(records) - 1}]" in printed  # progress, all that were handed in
    assert "notes.ipynb: not the name of a set" in printed
    assert "\nex01_goals.ipynb: a file without a student, ignored (put it into a folder" in f"\n{printed}"


def test_grading_leaves_the_submissions_alone(graded):
    _, base, _ = graded
    assert {p.name for p in base.iterdir()} == {"exercises", "grades", "students.csv", "submitted"}


# --- parts, without processes ------------------------------------------------------------------------


def test_nothing_to_grade_is_an_error(tmp_path, capsys):
    from decodelab.grading.__main__ import main

    assert main([str(tmp_path / "absent"), "--exercises", str(tmp_path)]) == 2
    assert "holds no master notebook" in capsys.readouterr().err
    (tmp_path / "ex01_goals.ipynb").write_text(stub(), encoding="utf-8")
    assert main([str(tmp_path / "absent"), "--exercises", str(tmp_path)]) == 2
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / "class").mkdir()
    assert main([str(tmp_path / "class"), "--exercises", str(tmp_path)]) == 2
    (tmp_path / "class/ex01_goals (1).ipynb").write_text("{}", encoding="utf-8")
    assert main([str(tmp_path / "class"), "--exercises", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert "holds no notebook of a student for ex01_goals" in said.err
    assert "name it STUDENT__ex01_goals.ipynb" in said.out
    assert main([str(tmp_path / "class"), "--exercises", str(tmp_path / "gone")]) == 2
    assert "start from the root of the repository, or say with --exercises" in capsys.readouterr().err


@pytest.mark.parametrize(
    "path, student",
    [
        ("ada/ex01/ex01_goals.ipynb", "ada"),
        ("ada/ex01_goals-Copy1.ipynb", "ada"),
        ("ada/Copy of ex01_goals.ipynb", "ada"),
        ("ada/ex01.ipynb", "ada"),
        ("ada__ex01_goals.ipynb", "ada"),
        ("a__b__ex01_goals (2).ipynb", "a__b"),
        ("ex01_goals__ada.ipynb", "ada"),
    ],
)
def test_layouts(tmp_path, path, student):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("{}", encoding="utf-8")
    hidden = tmp_path / "ada/.ipynb_checkpoints"
    hidden.mkdir(parents=True)
    (hidden / "ex01_goals.ipynb").write_text("{}", encoding="utf-8")
    found, remarks = collect(tmp_path, ["ex01_goals", "ex02_beam"])
    assert [(s.student, s.set) for s in found] == [(student, "ex01_goals")] and not remarks


@pytest.mark.parametrize("name", ["ex01_goals", "ex01", "ex01_goals (1)", "ex01_goals-Copy1"])
def test_a_bare_file_has_no_student(tmp_path, name):
    (tmp_path / f"{name}.ipynb").write_text("{}", encoding="utf-8")
    found, remarks = collect(tmp_path, ["ex01_goals"])
    assert not found and remarks[0].startswith(f"{name}.ipynb: a file without a student, ignored")


def test_the_command_of_the_readme(tmp_path):
    command = "python -m decodelab.grading submissions/ -j 4"
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ada__ex01_goals.ipynb").write_text(edited(), encoding="utf-8")
    arguments = command.replace("submissions/", f"{folder}{os.sep}").split()[1:]
    done = subprocess.run(
        [sys.executable, *arguments, "--out", str(tmp_path / "grades")],
        cwd=ROOT, capture_output=True, encoding="utf-8", env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0 and (tmp_path / "grades/grades.csv").is_file(), done.stderr


def test_without_a_roster_the_students_seen_elsewhere_are_expected():
    found = [Submission("a", "ex01", Path("x")), Submission("b", "ex01", Path("y")),
             Submission("a", "ex02", Path("z"))]  # fmt: skip
    assert missing(found, None) == [("b", "ex02")]
    assert missing(found, ["A", "c"]) == [("c", "ex01"), ("c", "ex02")]


def test_a_roster_without_students_is_refused(tmp_path):
    (tmp_path / "r.csv").write_text("student\n", encoding="utf-8")
    with pytest.raises(ValueError, match="names no student"):
        read_roster(tmp_path / "r.csv")


def test_only_marked_cells_are_taken(tmp_path):
    """A changed check, other points and an extra cell of the submission never run."""
    master, sent = tmp_path / "ex01_goals.ipynb", tmp_path / "sent.ipynb"
    master.write_text(stub(), encoding="utf-8")
    notebook = nbformat.reads(edited(), as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source, cell.metadata["nbgrader"]["points"] = "pass", 100
    notebook.cells.insert(0, nbformat.v4.new_code_cell("evil = 1"))
    nbformat.write(notebook, sent)
    cells = plan(master_cells(master), sent).cells
    assert [c.points for c in cells if c.kind == "check"] == [2, 2, 3, 2, 3, 1, 1, 2]
    assert all("evil" not in c.source and c.source != "pass" for c in cells)
    assert all("find_spec" not in c.source for c in cells)  # the set-up cell is left out


def test_a_master_without_checks_is_refused(tmp_path):
    path = tmp_path / "ex09_none.ipynb"
    path.write_text(unmarked(), encoding="utf-8")
    with pytest.raises(BadNotebook, match="no cell marked as a check"):
        master_cells(path)


def test_magics_are_looked_for_only_where_python_fails():
    valid = "total = (7\n    % 4)\n"
    assert _without_magics(valid) == (valid, "")
    source, remark = _without_magics("if True:\n    %time f()\n    !ls\nlen?\nx = 1")
    assert source == "if True:\n    pass\n    pass\npass\nx = 1\n"
    assert remark.startswith("3 notebook commands")


def test_a_formula_in_a_name_stays_a_text():
    assert report._safe("=1+1") == "'=1+1" and report._safe("ada") == "ada"


def test_the_help_says_what_it_is_not():
    done = subprocess.run(
        [sys.executable, "-m", "decodelab.grading", "--help"], capture_output=True, text=True, check=True
    )
    assert "not a sandbox for hostile code" in done.stdout


@pytest.mark.skipif(shutil.which("ps") is None, reason="needs ps or psutil")
def test_memory_can_be_read_without_psutil(monkeypatch):
    from decodelab.grading import memory

    assert memory.can_watch()
    with_psutil = memory.resident_bytes(os.getpid())
    monkeypatch.setattr(memory, "psutil", None)
    assert memory.resident_bytes(os.getpid()) == pytest.approx(with_psutil, rel=0.2)
