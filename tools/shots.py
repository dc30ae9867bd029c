"""Photograph every page of the built site: light and dark, at 1280 and 390 pixels.

Usage: python tools/shots.py FOLDER [--site _build/html] [--only TEXT]
Needs Chromium (or Chrome) on the PATH. For people to look at; the tests of tests/site measure.
"""

import argparse
import functools
import shutil
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
WIDTHS = (1280, 390)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Say nothing about each request."""


def serve(folder: Path) -> ThreadingHTTPServer:
    """Serve a folder on a free local port until the process ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def pages_of(site: Path, only: str) -> list[str]:
    """Return the addresses of the book's pages below the site, those that hold `only`."""
    found = [path.relative_to(site).as_posix() for path in sorted(site.glob("*/**/*.html"))]
    return [name for name in found if not name.startswith(("_", "reports")) and only in name]


def shoot(browser, address: str, name: str, folder: Path) -> None:
    """Take the four pictures of one page."""
    for theme in ("light", "dark"):
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
            page.goto(f"{address}/{name}", wait_until="load")
            page.wait_for_timeout(800)  # MathJax and live figures settle
            target = folder / f"{name.removesuffix('.html').replace('/', '-')}-{theme}-{width}.png"
            page.screenshot(path=str(target), full_page=True)
            page.close()
            print(target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--site", type=Path, default=ROOT / "_build/html")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    names = pages_of(args.site, args.only)
    if not executable or not names:
        sys.exit("no Chromium on the PATH" if names else f"no pages below {args.site}: build the book first")
    args.folder.mkdir(parents=True, exist_ok=True)
    server = serve(args.site)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for name in names:
            shoot(browser, f"http://127.0.0.1:{server.server_port}", name, args.folder)


if __name__ == "__main__":
    main()
