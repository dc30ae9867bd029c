"""Grade a folder of notebooks: `python -m decodelab.grading FOLDER -j 2`.

FOLDER holds STUDENT/…/ex01_goals.ipynb (nbgrader's layout), or files named STUDENT__ex01_goals.ipynb
or ex01_goals__STUDENT.ipynb. Only the cells marked as answers are taken from a submission; everything
else comes from the master notebooks in --exercises. Each notebook runs in a process of its own with a
limit on the time of a cell and on memory; a cell that exceeds one costs its own task only.

Safe against accidents and casual tampering. It is not a sandbox for hostile code: answers run with your
rights, so grade strangers' work in a container or a virtual machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from decodelab.grading import report
from decodelab.grading.collect import Submission, collect, missing, read_roster
from decodelab.grading.grade import Graded, grade, not_handed_in
from decodelab.grading.memory import can_watch
from decodelab.grading.notebooks import Cell, master_cells
from decodelab.grading.run import Limits


def main(arguments: list[str] | None = None) -> int:
    """Grade and report; 0, or 2 if there was nothing to grade, 130 if it was interrupted."""
    options = _parser().parse_args(arguments)
    try:
        masters = _masters(options.exercises)
        roster = read_roster(options.roster) if options.roster else None
        submissions, remarks = collect(_folder(options.folder), masters)
        for remark in remarks:
            print(remark)
        if not submissions:
            raise ValueError(f"{options.folder} holds no notebook of a student for {', '.join(masters)}")
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not can_watch():
        print("memory is not watched here: pip install psutil (extra [grading]) for that")
    _quiet_environment()
    try:
        class_ = _grade_all(submissions, masters, options)
    except KeyboardInterrupt:
        print("interrupted: nothing was written", file=sys.stderr)
        return 130
    class_ += [not_handed_in(who, name, masters[name]) for who, name in missing(submissions, roster)]
    class_.sort(key=lambda graded: (graded.set, graded.student.casefold()))
    report.flag(class_, roster)
    report.write(class_, options.out)
    print(f"\n{report.table(class_)}\n\nwritten: {options.out / 'grades.csv'}, grades.json, feedback/")
    return 0


def _parser() -> argparse.ArgumentParser:
    summary, _, rest = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m decodelab.grading",
        description=summary,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("folder", type=Path, help="the submissions")
    add("-j", "--jobs", type=int, default=1, help="notebooks graded at the same time (default 1)")
    add("--exercises", type=Path, default=Path("exercises"), help="masters (default: exercises)")
    add("--out", type=Path, default=Path("grades"), help="results (default: grades)")
    add("--seconds", type=float, default=30.0, help="wall-clock limit of a cell (default 30)")
    add("--megabytes", type=float, default=1500.0, help="resident memory of a notebook (default 1500)")
    add("--roster", type=Path, help="CSV with the student ids in its first column")
    return parser


def _folder(folder: Path) -> Path:
    if not folder.is_dir():
        raise ValueError(f"folder {folder} does not exist")
    return folder


def _masters(folder: Path) -> dict[str, tuple[Cell, ...]]:
    """The cells of each master notebook, by the stem of its file."""
    if not folder.is_dir():
        advice = "start from the root of the repository, or say with --exercises where the masters are"
        raise ValueError(f"there is no folder {folder} with the master notebooks: {advice}")
    paths = sorted(folder.glob("ex*.ipynb"))
    if not paths:
        raise ValueError(f"--exercises {folder} holds no master notebook ex*.ipynb")
    return {path.stem: master_cells(path) for path in paths}


def _quiet_environment() -> None:
    """What the workers inherit: figures without a window, one thread each, -j decides the rest."""
    os.environ["MPLBACKEND"] = "Agg"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


def _grade_all(submissions: list[Submission], masters: dict, options) -> list[Graded]:
    """Grade in parallel, with a line of progress each; Ctrl-C stops the workers."""
    limits, stop, class_ = Limits(options.seconds, options.megabytes), threading.Event(), []
    with ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        jobs = [
            pool.submit(grade, s, _relative(s.path, options.folder), masters[s.set], limits, stop)
            for s in submissions
        ]
        try:
            for job in as_completed(jobs):
                class_.append(job.result())
                print(_progress(class_[-1], len(class_), len(jobs)), flush=True)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return class_


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _progress(graded: Graded, count: int, total: int) -> str:
    points = f"{report.number(graded.total)} / {report.number(graded.maximum)}"
    return f"[{count}/{total}] {graded.student}  {graded.set}  {points}  {graded.seconds:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
