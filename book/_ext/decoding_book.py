"""Sphinx extension of this book: builds from the repository root, with links, maths and cache right.

`jupyter-book build book/` makes book/ the source folder. Lectures and exercises stand beside it, so
the source folder is moved to the root here. Assigning `app.srcdir` is undocumented: the tests in
tests/test_book_engine.py build a book and read its links, and fail should Sphinx change its mind.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["book/**", "lectures/**", "exercises/**"]
HASHED = {".py", ".js", ".mjs", ".css", ".csv", ".json", ".txt", ".safetensors"}
# The parts of MathJax that a page can ask for; its speech engine and SVG output are left out.
MATHJAX_PARTS = ["tex-mml-chtml.js", "input", "output/chtml", "output/chtml.js", "a11y", "ui"]


def read_address(root: Path = ROOT) -> dict[str, str]:
    """Return repository, branch and tag: the one place where the book's address stands."""
    return json.loads((root / "lib/decodelab/address.json").read_text(encoding="utf-8"))


def lib_hash(root: Path = ROOT) -> str:
    """Return a hash of the library's source and data: what a page shows may change with any of it."""
    digest = hashlib.sha256()
    files = [p for p in (root / "lib").rglob("*") if p.suffix in HASHED and p.is_file()]
    for path in sorted(p for p in files if ".egg-info" not in p.as_posix()):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def local_mathjax(root: Path = ROOT) -> Path | None:
    """Return the folder of the MathJax that npm installed, or None: pages then use its CDN."""
    folder = root / "node_modules/mathjax/es5"
    return folder if (folder / "tex-mml-chtml.js").is_file() else None


def configure(app, config):
    """Fill in what depends on the checkout: contents, cache, repository links, MathJax."""
    config.include_patterns = PAGES
    config.external_toc_path = (ROOT / "_toc.yml").as_posix()
    # jupyter-cache keys on a notebook's code alone; a changed library must not show old numbers.
    config.nb_execution_cache_path = str(Path(app.outdir).parent / f".jupyter_cache-{lib_hash()}")
    config.book_notebooks = [p.as_posix() for p in sorted(ROOT.glob("*/*.ipynb"))]
    address = read_address()
    # Mutated, not replaced: the launch buttons of _config.yml already stand in this dictionary.
    config.html_theme_options.update(
        repository_url=address["repository"],
        repository_branch=address["branch"],
        path_to_docs="",
        use_repository_button=True,
        use_source_button=True,
        use_edit_page_button=True,
        use_issues_button=True,
    )
    if local_mathjax():
        config.mathjax_path = "mathjax/tex-mml-chtml.js"


def drop_old_caches(app):
    """Delete the execution caches of other states of the library."""
    current = Path(app.config.nb_execution_cache_path)
    for folder in current.parent.glob(".jupyter_cache-*"):
        if folder.name != current.name:
            shutil.rmtree(folder, ignore_errors=True)


def drop_dead_launch_buttons(app, pagename, templatename, context, doctree):
    """Remove Colab and Binder from a page with code but no committed notebook to open there."""
    if not (ROOT / f"{pagename}.ipynb").is_file():
        buttons = context.get("header_buttons", [])
        context["header_buttons"] = [b for b in buttons if b.get("label") != "launch-buttons"]


def drop_thebe(app, config):
    """Leave sphinx-thebe's script out: jupyter-book always loads it, and it declares its constants twice."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        for listener in list(app.events.listeners.get(event, ())):
            if listener.handler.__module__.startswith("sphinx_thebe"):
                app.disconnect(listener.id)


PLAINER = {  # what the tools' markup says and means to no screen reader, and its replacement
    '<summary aria-label="Toggle hidden content">': "<summary>",  # the words shown name the fold
    '<div role="list" class="citation-list">': '<div class="citation-list">',  # its children are no items
}


def simplify_roles(app, pagename, templatename, context, doctree):
    """Take away labels and roles that contradict what they stand on."""
    for markup, plainer in PLAINER.items():
        context["body"] = context.get("body", "").replace(markup, plainer)


ROLES = ("pitfall", "theorem", "proof")


def mark_quotes(app, doctree):
    """Give a quote that opens with a bold role, "> **Pitfall.** …", that role as its class."""
    for quote in doctree.findall(nodes.block_quote):
        first = next(iter(quote.findall(nodes.strong)), None)
        role = first.astext().split()[0].rstrip(".:").lower() if first and first.astext() else ""
        if role in ROLES:
            quote["classes"].append(role)


def copy_mathjax(app):
    """Copy MathJax beside the pages (under book/_static every .js would load on every page)."""
    source, target = local_mathjax(), Path(app.outdir, "_static", "mathjax")
    if source is None or target.exists():
        return
    for part in MATHJAX_PARTS:
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (source / part).is_dir() else shutil.copy2
        copy(source / part, target / part)


def copy_notebooks(app):
    """Offer for download the committed notebook, the one that Colab and Binder open."""
    for notebook in sorted(Path(app.outdir, "_sources").rglob("*.ipynb")):
        pair = ROOT / notebook.relative_to(Path(app.outdir, "_sources"))
        if pair.is_file():
            shutil.copyfile(pair, notebook)


def finish(app, exception):
    """Complete the site once its pages are written."""
    if exception is None and app.builder.format == "html":
        copy_mathjax(app)
        copy_notebooks(app)
        drop_old_caches(app)


def setup(app):
    """Make the repository root the source folder, before Sphinx reads any page."""
    app.srcdir = type(app.srcdir)(ROOT)
    # Kernels run in the environment of this process, whatever kernels the user has registered.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.pop("MPLBACKEND", None)  # kernels draw inline
    # Pages are written anew when a notebook appears or goes: their launch buttons depend on it.
    app.add_config_value("book_notebooks", [], "html")
    app.connect("config-inited", configure, priority=100)
    app.connect("config-inited", drop_thebe, priority=900)
    app.connect("doctree-read", mark_quotes)
    app.connect("html-page-context", simplify_roles, priority=900)
    app.connect("html-page-context", drop_dead_launch_buttons, priority=900)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
