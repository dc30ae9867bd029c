"""Read the header buttons of a built page: shared by the tests of the engine and of the real site."""

import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup

BUTTONS = {
    "Launch on Colab": "colab",
    "Launch on Binder": "binder",
    "Source repository": "repository",
    "Show source": "source",
    "Suggest edit": "edit",
    "Open an issue": "issue",
    "Download notebook file": "notebook",
    "Download source file": "markdown",
}


def soup(page: Path) -> BeautifulSoup:
    """Parse a built page."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def buttons(page: Path) -> dict[str, str]:
    """Return the header buttons of a page: kind to address."""
    links = soup(page).select(".article-header-buttons a[href]")
    return {BUTTONS[a["title"]]: a["href"] for a in links if a.get("title") in BUTTONS}


def expected_buttons(name: str, address: dict[str, str], has_notebook: bool) -> dict[str, str]:
    """Return the addresses that page `name` must offer, by kind; issue and downloads left out."""
    repository, branch = address["repository"], address["branch"]
    owner_and_name = urlsplit(repository).path.strip("/")
    links = {
        "repository": repository,
        "source": f"{repository}/blob/{branch}/{name}.md?plain=1",
        "edit": f"{repository}/edit/{branch}/{name}.md",
    }
    if has_notebook:
        links["colab"] = (
            f"https://colab.research.google.com/github/{owner_and_name}/blob/{branch}/{name}.ipynb"
        )
        links["binder"] = (
            f"https://mybinder.org/v2/gh/{owner_and_name}/{branch}?urlpath=lab/tree/{name}.ipynb"
        )
    return links


def check_page(site: Path, name: str, root: Path, files: set[str], address: dict) -> None:
    """Assert that every button of one page leads to a file that is in git."""
    found = buttons(site / f"{name}.html")
    expected = expected_buttons(name, address, (root / f"{name}.ipynb").is_file())
    issue = urlsplit(found.pop("issue"))
    assert f"{issue.scheme}://{issue.netloc}{issue.path}" == f"{address['repository']}/issues/new"
    assert f"{name}.html" in parse_qs(issue.query)["title"][0]
    for kind in ("notebook", "markdown"):
        if kind in found:
            assert (site / f"{name}.html").parent.joinpath(found.pop(kind)).resolve().is_file()
    assert found == expected
    assert f"{name}.md" in files
    assert "colab" not in found or f"{name}.ipynb" in files


def git_files(root: Path, *options: str) -> set[str]:
    """Return what `git ls-files` lists in a working tree; empty where there is none."""
    command = ["git", "ls-files", "-z", *options]
    run = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8")
    return set(filter(None, run.stdout.split("\0")))


def external_loads(page: Path) -> set[str]:
    """Return the addresses from elsewhere that a page loads by itself (links do not load)."""
    parsed = soup(page)
    tags = parsed.select("[src], link[href]:not([rel=canonical]), object[data]")
    addresses = (t.get("src") or t.get("href") or t.get("data") for t in tags)
    return {a for a in addresses if a.startswith(("http:", "https:", "//"))}


def dead_widgets(page: Path) -> list[str]:
    """Return traces of kernel-backed widgets in a page: on a static site they are dead."""
    html = page.read_text(encoding="utf-8")
    traces = ("application/vnd.jupyter.widget-view+json", "interactive(children", "require.min.js")
    return [trace for trace in traces if trace in html]
