"""The real site as it was last built: every page's buttons, and nothing loaded from elsewhere."""

from pathlib import Path

import pytest
from book_links import check_page, dead_widgets, external_loads, git_files
from decoding_book import read_address

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build/html"
BUILT = [
    path.relative_to(SITE).with_suffix("").as_posix()
    for folder in ("book", "lectures", "exercises")
    for path in sorted((SITE / folder).glob("*.html"))
]
# Pages whose source has gone since the build say nothing about the book.
PAGES = [name for name in BUILT if (ROOT / f"{name}.md").is_file()]
NOT_BUILT = pytest.param(None, marks=pytest.mark.skip(reason="no _build/html: run make book first"))
each_page = pytest.mark.parametrize("page", PAGES or [NOT_BUILT])


@each_page
def test_book_site_buttons(page):
    """B92, for each page. Files not committed yet count, unless git ignores them."""
    files = git_files(ROOT, "--cached", "--others", "--exclude-standard")
    if not files:
        pytest.skip("not a git checkout")
    check_page(SITE, page, ROOT, files, read_address())


@each_page
def test_book_site_loads_nothing_from_elsewhere(page):
    """Only MathJax, and only where npm was missing at build time."""
    served = (SITE / "_static/mathjax").is_dir()
    loads = external_loads(SITE / f"{page}.html")
    assert not [a for a in loads if served or not a.endswith("/es5/tex-mml-chtml.js")]


@each_page
def test_book_site_has_no_dead_widgets(page):
    """B95: a slider that needs a kernel moves and changes nothing on a static page."""
    assert not dead_widgets(SITE / f"{page}.html")
