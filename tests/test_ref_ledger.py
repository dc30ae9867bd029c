"""The ledger: its data, its statuses, and that a wrong value cannot pass."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from decodelab import ledger
from decodelab.ledger import goals, matches
from decodelab.ledger.__main__ import main
from decodelab.ledger.tables import FIELDS, as_html, as_table
from pybtex.database import parse_file

KINDS = {"exact", "language", "device", "erratum", "claim", "pitfall", "paper"}


@pytest.fixture(scope="module")
def every_row():
    return list(ledger.rows())


def test_every_row_is_read_and_names_a_public_source(every_row):
    assert len(every_row) == len({row.key for row in every_row}) == 418
    assert {row.kind for row in every_row} == KINDS
    for row in every_row:
        assert row.source.startswith(("Decoding lecture", "Speculative", "Medusa notes", "City language")), (
            row
        )
        assert row.statement and row.lecture


def test_the_rows_of_page_01_are_done(every_row):
    open_rows = {
        row.key for row in every_row if row.lecture == "goals" and row.status in ("pending", "wrong")
    }
    assert not open_rows
    assert {row.status for row in every_row if row.key.startswith("city.") and row.lecture == "goals"} == {
        "matched"
    }


def test_the_rows_of_built_pages_are_done(every_row):
    built = {"goals", "beam", "sampling", "roofline", "kvcache", "speculative"}
    assert not {row.key for row in every_row if row.lecture in built and row.status in ("pending", "wrong")}


def test_figures_of_speculative_decoding_that_are_told_in_words(every_row):
    """A row that is neither exact nor a yes or no cannot be wrong by itself: these are held to values."""
    ours = {row.key: row.ours for row in every_row if row.lecture == "speculative"}
    assert ours["spec.rule.accept"] == "(1.0, 0.6, 0.667)"
    assert ours["spec.rule.residual"] == ours["spec.residual.ex3"] == "(1.0, 0.0, 0.0)"
    assert ours["spec.residual.raw.ex3"] == "(0.3, 0.0, 0.0)" and ours["spec.rule.bonus"] == 1
    assert ours["spec.greedydraft.pointmass"] == "(0.5, 0.3, 0.2)" and ours["spec.topk.ex11"] == 0.8
    assert (ours["spec.optgamma.a70c10"], ours["spec.optgamma.a80c10"], ours["spec.optgamma.a90c02"]) == (
        4,
        6,
        19,
    )
    assert ours["spec.wallclock.a75n5"].startswith("1.644x; 2.192x")
    assert ours["spec.latency.bonus"] == "at most 6 tokens, 180 ms plain: 4.00x"
    assert ours["medusa.pain.serial"] == "15 of 45 ms"
    assert ours["spec.truncation.mix"] == pytest.approx(3.604, abs=5e-4)
    assert ours["spec.sentence.length"].startswith("mean 8.75 tokens; 3.77 a call at length 8")
    assert [ours[f"city.spec.topk.{k}.illegal"] for k in (1, 3)] == [0, 0] and 0.1 < ours["spec.topk.k10"]
    measured, formula = map(float, ours["spec.d16.measured"].split(" vs "))
    assert 3.5 < measured < 4 < formula < 5
    p_values = [float(ours[key].rpartition("p = ")[2]) for key in ("spec.e2e.chi2", "spec.step5.chi2")]
    assert min(p_values) > 1e-2
    facts, scenes = map(float, re.findall(r"0\.\d+", ours["spec.alpha.task"]))
    assert facts > scenes + 0.01


def test_the_tests_that_rows_point_to_exist(every_row):
    """A pitfall names the test in which it fails, a paper its citation key, or several."""
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    keys = parse_file(str(Path(__file__).parents[1] / "book/references.bib")).entries.keys()
    for row in every_row:
        for name in re.findall(r"test_\w+", row.ours if isinstance(row.ours, str) else ""):
            assert f"def {name}(" in tests, row.key
        if row.status == "quoted":
            assert set(row.ours.split(", ")) <= keys, row.key


def test_a_wrong_value_is_wrong_and_a_false_claim_is_wrong(monkeypatch):
    monkeypatch.setitem(goals.ENTRIES, "city.n", lambda: 9126)
    monkeypatch.setitem(goals.ENTRIES, "goals.logits.argmax", lambda: False)
    status = {row.key: row.status for row in ledger.rows("goals")}
    assert status["city.n"] == status["goals.logits.argmax"] == "wrong"
    assert main(["--lecture", "goals"]) == 1


def test_a_key_without_a_row_is_refused(monkeypatch):
    monkeypatch.setitem(goals.ENTRIES, "city.unknown", lambda: 1)
    with pytest.raises(ValueError, match="keys without a row in ledger.csv: city.unknown"):
        list(ledger.rows("goals"))
    with pytest.raises(ValueError, match="lecture 'nowhere' is not in the ledger"):
        list(ledger.rows("nowhere"))


@pytest.mark.parametrize(
    ("published", "ours", "right"),
    [
        ("6.7958748152", 6.79587481518, True),
        ("6.7958748152", 6.7958748154, False),
        ("9127", 9127, True),
        ("9127", 9127.6, False),
        ("0.014127", 0.0141274, True),
        (".5", 0.54, True),
        (".5", 0.56, False),
        ("1e-3", 0.0012, True),
        ("1 FLOP/byte", 1.0, True),
        ("12.75 ms", 12.7, False),
        ("about 3x", 3.29, True),
        ("about 3x", 3.6, False),
        ("11/9", Fraction(11, 9), True),
        ("11/9", Fraction(10, 9), False),
        ("11/9", 1.2222, False),
    ],
)
def test_numbers_match_to_their_published_digits(published, ours, right):
    assert matches(published, ours) is right


def test_the_command_line_prints_json_and_a_table(capsys):
    assert main(["--json", "--lecture", "goals"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert all(tuple(row) == FIELDS for row in rows)
    ours = {row["key"]: row["ours"] for row in rows}
    assert ours["city.vocab"] == 71 and ours["city.length"] == 8.75 and ours["goals.factorization"] is True
    assert ours["goals.api.nextprobs"] == 3
    assert main(["--lecture", "goals"]) == 0
    printed = capsys.readouterr().out
    assert "city.entropy" in printed and "pending" not in printed


def test_the_tables_say_what_the_rows_say(every_row):
    text, page = as_table(every_row), as_html(every_row)
    assert f"{sum(r.status == 'beside' for r in every_row)} beside" in text.splitlines()[-1]
    assert page.count("<tr") == 419 and "y_&lt;t" in page
    assert "<td>11/9</td>" in page  # a fraction stays one
