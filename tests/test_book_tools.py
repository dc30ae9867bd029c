"""The tools that write notebooks, and that everything they write is up to date in this tree."""

from pathlib import Path

import exercises
import nbformat
import pair
import pytest
import setup_cells
from nbformat.v4 import new_code_cell, new_output
from text_outputs import clean

ROOT = Path(__file__).resolve().parents[1]
HEAD = "---\njupytext:\n  text_representation: {extension: .md, format_name: myst}\n---\n\n"
FUNCTION = '''def double(x):
    """Return twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
'''


def test_book_generated_exercises_are_up_to_date():
    assert exercises.stale() == [], "run make exercises"


@pytest.mark.parametrize("path", pair.sources(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_book_pairs_are_up_to_date(path):
    assert pair.problem(path) is None, "run make notebooks"


def test_book_set_up_cells_are_up_to_date():
    cell = setup_cells.setup_cell()
    problems = {path.name: setup_cells.update(path, cell, True) for path in setup_cells.pages()}
    assert not {name: problem for name, problem in problems.items() if problem}


def test_book_stub_keeps_signature_and_docstring():
    text = exercises.exercise(HEAD + FUNCTION, "ex90_x.md")
    stub = FUNCTION.split("    ###")[0] + '    raise NotImplementedError("write this function")\n'
    assert text.endswith(stub)
    assert "solutions/ex90_x.md" in text.splitlines()[1]


def test_book_stub_of_a_value_keeps_the_names():
    answer = "### BEGIN SOLUTION\n_half = 1 / 2\na, b = _half, 3\nc: int = 4\n### END SOLUTION\n"
    text = exercises.exercise(HEAD + answer, "ex90_x.md")
    assert text.endswith("a = None  # your answer\nb = None  # your answer\nc = None  # your answer\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + FUNCTION.replace("    ### END SOLUTION\n", ""), "without its partner"),
        (HEAD + FUNCTION.replace("    ### END", "### END"), "without its partner"),
        (HEAD + "### BEGIN SOLUTION\nprint(1)\n### END SOLUTION\n", "must assign a name"),
        ("# no front matter\n", "starts with '---'"),
    ],
)
def test_book_stub_reports_bad_markers(text, message):
    with pytest.raises(ValueError, match=message):
        exercises.exercise(text, "ex90_x.md")


def test_book_stale_exercises_are_found(tmp_path):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "exercises").mkdir()
    (tmp_path / "solutions/ex90_x.md").write_text(HEAD + FUNCTION, encoding="utf-8")
    orphan = tmp_path / "exercises/ex91_gone.md"
    orphan.write_text("", encoding="utf-8")
    assert exercises.stale(tmp_path) == [tmp_path / "exercises/ex90_x.md", orphan]


def test_book_outputs_keep_text_only():
    live = '<my-figure-12ab34cd><p>still</p><script type="module">1</script></my-figure-12ab34cd>'
    figure = {"image/png": "x", "text/plain": "<Figure>"}
    cell = new_code_cell(
        "1",
        outputs=[
            new_output("stream", name="stdout", text="<A object at 0x7f0012345678>\n"),
            new_output("stream", name="stdout", text="more\n"),
            new_output("display_data", data=figure, metadata={"needs_background": "light"}),
            new_output("display_data", data={"text/html": live}),
            new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {}}),
        ],
    )
    clean(cell)
    assert [dict(o.get("data", {"text": o.get("text")})) for o in cell.outputs] == [
        {"text": "<A object at 0xADDRESS>\nmore\n"},
        {"text/plain": "<Figure>"},
        {"text/html": "<my-figure><p>still</p></my-figure>"},
    ]
    assert cell.outputs[1].metadata == {}


@pytest.mark.parametrize("tag", ["nbval-skip", "nbval-ignore-output"])
def test_book_outputs_that_nothing_compares_are_dropped(tag):
    output = new_output("stream", name="stdout", text="took 3 s\n")
    cell = new_code_cell("1", outputs=[output], metadata={"tags": [tag]})
    clean(cell)
    assert cell.outputs == []


@pytest.mark.slow
def test_book_pairs_are_the_same_bytes_each_time_and_go_stale(tmp_path):
    path = tmp_path / "lectures/90_x.md"
    path.parent.mkdir()
    code = "\n```{code-cell} ipython3\nprint(object())\n```\n"
    kernel = "kernelspec:\n  name: python3\n  display_name: Python 3\n---\n"
    path.write_text(HEAD.replace("---\n\n", kernel) + code, encoding="utf-8")
    assert pair.problem(path) == "no .ipynb beside it"
    pair.write_pair(path)
    first = path.with_suffix(".ipynb").read_bytes()
    pair.write_pair(path)
    assert path.with_suffix(".ipynb").read_bytes() == first
    assert b"object at 0xADDRESS" in first and b"language_info" not in first
    assert pair.problem(path) is None
    path.write_text(path.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    assert pair.problem(path) is not None


def test_book_cell_ids_survive_an_edit_elsewhere(tmp_path):
    path = tmp_path / "90_x.md"
    path.write_text(HEAD + "One.\n\n+++\n\nTwo.\n", encoding="utf-8")
    before = [cell.id for cell in pair.read(path).cells]
    path.write_text(HEAD + "Zero.\n\n+++\n\nOne.\n\n+++\n\nTwo.\n", encoding="utf-8")
    assert [cell.id for cell in pair.read(path).cells][1:] == before
    nbformat.validate(pair.read(path))


def test_book_set_up_cell_is_replaced_once():
    cell = setup_cells.setup_cell()
    old = "a\n\n```{code-cell} ipython3\n:tags: [setup, hide-cell]\n\nold\n```\n\nb\n"
    new = setup_cells.with_setup_cell(old, cell)
    assert new == f"a\n\n{cell}\n\nb\n"
    assert setup_cells.with_setup_cell(new, cell) == new
    for bad in ("no cell", old + old):
        with pytest.raises(ValueError, match="expected one code cell"):
            setup_cells.with_setup_cell(bad, cell)
