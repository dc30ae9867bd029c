"""The assertions about every set: solutions pass, stubs are blank, mutants fail, alternatives pass."""

import contextlib
import io
import itertools
import math
from pathlib import Path

import exercises
import jupytext
import pytest
from decodelab.grading import CheckFailed, check
from decodelab.grading.answers import judge

ROOT = Path(__file__).resolve().parents[1]
SETS = sorted((ROOT / "solutions").glob("ex*.md"))
MUTANTS = sorted((ROOT / "tests/mutants").glob("ex*/*.py"))
ALTERNATIVES = sorted((ROOT / "tests/alternatives").glob("ex*/*.py"))


def name_of(path):
    return path.stem


def label(path):
    return f"{path.parent.name}-{path.stem}"


def code_cells(text):
    """The code cells of a text notebook, without the set-up cell."""
    cells = jupytext.reads(text, fmt="md:myst").cells
    return [c for c in cells if c.cell_type == "code" and "setup" not in c.metadata.get("tags", [])]


def marks(cell):
    return cell.metadata.get("nbgrader", {})


def stub_of(path):
    return exercises.exercise(path.read_text(encoding="utf-8"), path.name)


def run_cells(cells):
    """Run cells in one namespace; return it and what each check printed, by grade_id."""
    namespace, printed = {"__name__": "__main__"}, {}
    for cell in cells:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(cell.source, marks(cell).get("grade_id", "cell"), "exec"), namespace)
        if marks(cell).get("grade"):
            printed[marks(cell)["grade_id"]] = out.getvalue()
    return namespace, printed


def answer_of(path):
    """The check's name, the answer and the student's id of a mutant or an alternative."""
    namespace = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    task = path.stem.split("__")[0]
    return f"{path.parent.name}.{task}", namespace[task], namespace.get("STUDENT"), namespace


@pytest.mark.parametrize("path", SETS, ids=name_of)
def test_every_solution_passes(path):
    _, printed = run_cells(code_cells(path.read_text(encoding="utf-8")))
    assert printed
    for grade_id, text in printed.items():
        assert text.startswith("right: ") and text.count("\n") == 1, f"{grade_id}: {text}"


@pytest.mark.parametrize("path", SETS, ids=name_of)
def test_every_stub_runs_clean_and_is_not_written(path):
    namespace, printed = run_cells(code_cells(stub_of(path)))
    for grade_id, text in printed.items():
        assert text.endswith(": not written yet\n"), f"{grade_id}: {text}"
    functions = [f for f in namespace.values() if callable(f) and _is_stub(f)]
    for function in functions:
        count = function.__code__.co_argcount
        names = function.__code__.co_varnames[count : count + function.__code__.co_kwonlyargcount]
        with pytest.raises(NotImplementedError, match="write this function"):
            function(*[None] * count, **dict.fromkeys(names))


def _is_stub(function):
    code = getattr(function, "__code__", None)
    return code is not None and "write this function" in code.co_consts


@pytest.mark.parametrize("path", SETS, ids=name_of)
def test_a_set_is_marked_for_nbgrader(path):
    cells = code_cells(path.read_text(encoding="utf-8"))
    ids = [marks(cell)["grade_id"] for cell in cells if marks(cell)]
    assert len(ids) == len(set(ids))
    for cell in cells:
        if not marks(cell):
            assert "### BEGIN SOLUTION" not in cell.source and "check(" not in cell.source
            continue
        assert marks(cell)["schema_version"] == 3 and marks(cell)["task"] is False
        assert marks(cell)["solution"] is not marks(cell)["grade"]
        assert marks(cell)["locked"] is marks(cell)["grade"]
        if marks(cell)["grade"]:
            assert marks(cell)["points"] > 0
            assert cell.source.startswith(f'check("{path.stem.split("_")[0]}.')


@pytest.mark.parametrize("path", SETS, ids=name_of)
def test_every_task_has_mutants_and_an_alternative(path):
    number = path.stem.split("_")[0]
    for cell in code_cells(path.read_text(encoding="utf-8")):
        if marks(cell).get("grade"):
            task = cell.source.split('"')[1].split(".")[1]
            mine = [p for p in MUTANTS if label(p).startswith(f"{number}-{task}__")]
            others = [p for p in ALTERNATIVES if label(p).startswith(f"{number}-{task}__")]
            assert len(mine) >= 3 and others, f"{number}.{task}: {len(mine)} mutants"


@pytest.mark.parametrize("path", MUTANTS, ids=label)
def test_every_mutant_fails_with_its_sentence(path):
    name, answer, student, namespace = answer_of(path)
    with pytest.raises(CheckFailed) as failure:
        check(name, answer, student=student)
    sentence = str(failure.value)
    assert namespace["NAMED"] in sentence
    assert "\n" not in sentence and len(sentence) < 250
    assert 0 <= failure.value.credit < 1


@pytest.mark.parametrize("path", ALTERNATIVES, ids=label)
def test_every_alternative_passes(path):
    name, answer, student, namespace = answer_of(path)
    verdict = judge(name, answer, student=student)
    assert verdict.state == "right", verdict.sentence
    if namespace.get("SAMPLED"):  # its draws have no finite set of outcomes, and the check says so
        assert "chi-square test on " in verdict.sentence


def test_checks_give_no_reference_away_and_keep_no_damage():
    """An answer that ruins all it is given is caught, and the check works as before afterwards."""

    def vandal(lm, sentence):
        for row in vars(lm).get("_rows", {}).values():
            row[:] = 0.0
        return 0.0

    name, solution, _, _ = answer_of(ROOT / "tests/alternatives/ex01/log_score__fsum.py")
    assert judge(name, vandal).state == "wrong"
    assert judge(name, solution).state == "right"
    seen = []
    judge(name, lambda lm, sentence: seen.append((lm, sentence)) or 0.0)
    lm, sentence = seen[0]
    public = [key for key in dir(lm) if not key.startswith("_")]
    assert public == ["check_unchanged", "next_probs", "vocab_size"]
    assert lm.next_probs(()) is not lm.next_probs(()) and type(sentence) is tuple


def test_slips_of_the_city_are_told_apart_for_every_id():
    """No typical wrong answer is right, and no two are equal, whatever city and types an id gives."""
    from decodelab.grading import ex01

    tasks = {ex01.your_city(f"s{i}") for i in range(300)} | {ex01.your_city("your-id")}
    assert len(tasks) == 27 and not any(name == "boston" for name, _ in tasks)
    for name, kinds in tasks:
        assert kinds[0] == "scene" and kinds[1] in ("fact", "draw", "place")
        right = ex01._mass(name), -math.log(ex01._share(name, *kinds))
        for value, slips in zip(
            right, (ex01._mention_slips(name), ex01._surprisal_slips(name, kinds)), strict=True
        ):
            numbers = sorted([value, *slips.values()])
            gaps = [(b - a) / abs(a) for a, b in itertools.pairwise(numbers)]
            assert min(gaps) > 5e-5, (name, kinds, numbers)


def test_the_example_id_earns_nothing(capsys):
    _, answer, student, _ = answer_of(ROOT / "tests/alternatives/ex01/mention__formula.py")
    assert judge("ex01.mention", answer, student=student).credit == 1
    from decodelab.grading import ex01

    right = ex01._mass(ex01.your_city("your-id")[0])
    for example in ("your-id", " Your-ID"):
        verdict = judge("ex01.mention", right, student=example)
        assert (verdict.state, verdict.credit) == ("example", 0.0)
        assert "the example id and earns no points: put your own into STUDENT" in verdict.sentence
    assert judge("ex01.mention", 2 * right, student="your-id").state == "wrong"
    assert check("ex01.mention", right, student="your-id") == 0  # what nbgrader reads as points
    assert capsys.readouterr().out.startswith("right: ")


def test_the_numbers_in_the_prose_of_ex01():
    namespace, _ = run_cells(code_cells((ROOT / "solutions/ex01_goals.md").read_text(encoding="utf-8")))
    toy, score = namespace["toy"], namespace["log_score"]
    assert round(score(toy, (2, 0)), 3) == -1.427
    sentence, log_prob = namespace["most_probable"](toy, end=0, max_tokens=4)
    assert sentence == (2, 0) and math.isclose(math.exp(log_prob), 0.24)
    greedy = ()
    while greedy[-1:] != (0,):
        greedy += (namespace["greedy_token"](toy.next_probs(greedy)),)
    assert greedy == (1, 1, 0) and math.isclose(math.exp(score(toy, greedy)), 0.175)
