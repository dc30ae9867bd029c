"""What the browser tests share: Chromium, a server of the built site on 127.0.0.1, and a visitor.

Without Chromium, or without `_build/html`, the tests skip and say so.
"""

import functools
import shutil
import socket
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build/html"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NOT_BUILT = f"no pages in {SITE.relative_to(ROOT)}: build the book first (make book)"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, *args):
        pass


def serve(folder: Path) -> ThreadingHTTPServer:
    """Serve a folder on a free port of this machine, in a thread that ends with the process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def built_pages() -> list[str]:
    """Return the book's pages, as paths below the site; not Sphinx's own pages."""
    found = (path.relative_to(SITE) for path in sorted(SITE.glob("*/**/*.html")))
    # A page whose source has gone since the build says nothing about the book.
    return [path.as_posix() for path in found if (ROOT / path.with_suffix(".md")).is_file()]


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium, closed at the end."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not executable:
        pytest.skip("Chromium is not installed: no browser tests")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def site():
    """Address of the built site."""
    if not built_pages():
        pytest.skip(NOT_BUILT)
    server = serve(SITE)
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def folder_site(tmp_path):
    """A function that serves one page of HTML, for tests that need no built book."""
    servers = []

    def put(html: str) -> str:
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        servers.append(serve(tmp_path))
        return f"http://127.0.0.1:{servers[-1].server_port}/page.html"

    yield put
    for server in servers:
        server.shutdown()
        server.server_close()


class Visit:
    """One open page and everything it complained about or asked for."""

    def __init__(self, browser, address: str, **options):
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, **options)
        self.errors, self.failed, self.requests = [], [], []
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.failed.append(request.url))
        self.page.on("response", self._note_response)
        self.response = self.page.goto(address, wait_until="load")

    def _note_console(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def _note_response(self, response):
        if response.status >= 400:
            self.failed.append(f"{response.status} {response.url}")

    def show(self, theme: str, width: int = 1280) -> None:
        """Turn the page to a theme of the book and a width, and let it settle."""
        self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.evaluate(
            "theme => Object.assign(document.documentElement.dataset, { theme, mode: theme })", theme
        )
        self.page.wait_for_timeout(250)


@pytest.fixture
def visit(browser):
    """A function that opens an address; the page is closed after the test."""
    visits = []

    def open_page(address: str, **options) -> Visit:
        visits.append(Visit(browser, address, **options))
        return visits[-1]

    yield open_page
    for one in visits:
        one.page.close()


def pytest_generate_tests(metafunc):
    """Run a test that takes `built_page` once for each page of the book."""
    if "built_page" in metafunc.fixturenames:
        pages = built_pages() or [pytest.param("", marks=pytest.mark.skip(reason=NOT_BUILT))]
        metafunc.parametrize("built_page", pages)


@pytest.fixture
def unused_port():
    """A port that nothing listens on just now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
