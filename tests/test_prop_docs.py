"""The written promises: README, NOTATION, map and docstrings say what is there."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import decodelab
import numpy as np
import pytest
import yaml
from decodelab.rng import Rng
from decodelab.tree import Tree

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(m.name for m in pkgutil.iter_modules(decodelab.__path__))
# Where a row of probabilities or a decoder's law is made, the docstring must say what becomes of the law.
LAWFUL = {
    "dists": (
        "softmax",
        "residual",
        "greedy",
        "temperature",
        "top_k",
        "top_p",
        "min_p",
        "locally_typical",
        "eta",
    ),
    "exact": (
        "law",
        "sentence_law",
        "kernel_law",
        "average_law",
        "audit",
        "from_rows",
        "from_random",
        "from_uniforms",
        "from_torch",
    ),
    "museum": ("measure", "first_token", "samples_needed"),
    "power": ("detection", "samples_needed"),
    "models": ("log_prob",),
    "rng": ("pick",),
    "sampling": (
        "ancestral",
        "linear_scan",
        "cdf_search",
        "alias_table",
        "gumbel_max",
        "gumbel_top_k",
        "race",
    ),
    "batched": ("softmax", "top_k", "top_p", "min_p", "locally_typical", "eta", "draw", "gumbel_max"),
    "beam": ("beam_search", "best_first", "exhaustive"),
    "variety": ("diverse_beam", "sample_then_beam", "stochastic_beam"),
    "rules": (
        "rejection",
        "traversal",
        "match",
        "greedy",
        "top_k",
        "lenient",
        "typical_acceptance",
        "gumbel_step",
        "gumbel_agreement",
    ),
    "speculative": ("decode",),
}


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def named_in_tables(markdown):
    """The words in code type in the rows of a page's tables, italics (planned things) left out."""
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    return {word for row in rows for word in re.findall(r"(?<!\*)`([\w.]+)`(?!\*)", row)}


def test_readme_example_prints_what_it_says():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("page", ["README.md", "book/map.md"])
def test_pages_name_every_module_and_no_other(page):
    missing = set(MODULES) - named_in_tables(text(page))
    assert not missing
    rows = [line for line in text(page).splitlines() if line.startswith("| `")]  # the table of modules
    listed = {word for row in rows for word in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert listed == set(MODULES)


def test_every_module_says_what_it_is_and_what_it_offers():
    for name in MODULES:
        module = importlib.import_module(f"decodelab.{name}")
        assert module.__doc__, name
        for public in getattr(module, "__all__", ()):
            assert hasattr(module, public), f"{name}.{public}"
            thing = getattr(module, public)
            if inspect.isroutine(thing) or inspect.isclass(thing):
                assert inspect.getdoc(thing), f"{name}.{public}"


@pytest.mark.parametrize("name", LAWFUL)
def test_docstrings_state_the_law(name):
    module = importlib.import_module(f"decodelab.{name}")
    for function in LAWFUL[name]:
        assert "**Law:**" in inspect.getdoc(getattr(module, function)), f"{name}.{function}"


def test_notation_names_functions_that_exist():
    others = {"np": np, "rng": Rng, "Tree": Tree}  # `rng` is an argument, `Tree` a class
    dotted = [name.split(".") for name in named_in_tables(text("NOTATION.md")) if "." in name]
    assert len(dotted) >= 9
    for owner, attribute in dotted:
        thing = others[owner] if owner in others else importlib.import_module(f"decodelab.{owner}")
        assert hasattr(thing, attribute), f"{owner}.{attribute}"


def test_every_page_of_the_table_of_contents_is_there_and_on_the_map():
    toc = yaml.safe_load(text("_toc.yml"))
    pages = [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]
    assert all((ROOT / f"{page}.md").is_file() for page in pages)
    written = {
        f"{folder}/{path.stem}"
        for folder in ("lectures", "exercises")
        for path in ROOT.glob(f"{folder}/*.md")
    }
    assert written <= set(pages)
    assert all(f"../{page}.md" in text("book/map.md") for page in written)


def test_landing_page_names_the_reading_paths_and_the_pages_that_exist():
    landing = text("book/index.md")
    for path in (
        "01 → 04 → 05 → 06a → 06b → 07a → picker",
        "01 → 03a → 03b → 02",
        "01 → 06a → 06c → 07b → museum",
    ):
        assert path in landing
    numbers = sorted({path.name[:2] for path in ROOT.glob("lectures/*.md")})
    assert f"Pages {numbers[0]} to {numbers[-1]} are written" in landing
    links = re.findall(r"\]\((?!http)([^)#]+\.md)", landing)
    assert links and all((ROOT / "book" / link).is_file() for link in links)
