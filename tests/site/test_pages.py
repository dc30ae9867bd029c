"""Every page of the built site, in Chromium: loads cleanly, reads well, excludes nobody."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MATHJAX = ROOT / "_build/html/_static/mathjax"
MATHJAX_CDN = "https://cdn.jsdelivr.net/npm/mathjax@3"
AXE = ROOT / "node_modules/axe-core/axe.min.js"
WIDTHS = (390, 1280)
THEMES = ("light", "dark")

# Text that a reader sees as text: without code, and without what MathJax has taken over.
VISIBLE_TEXT = """() => {
  const article = document.querySelector('article').cloneNode(true);
  article.querySelectorAll('pre, code, script, style, mjx-container').forEach((node) => node.remove());
  return article.textContent;
}"""
IMAGES = """() => [...document.querySelectorAll('article img')].map((image) => ({
  source: image.getAttribute('src').slice(0, 80),
  alt: image.alt,
  inFigure: Boolean(image.closest('figure')?.querySelector('figcaption')?.textContent.trim()),
  live: Boolean(image.closest('[data-params]')),
}))"""
# Who sticks out: elements wider than the window that no box of their own lets scroll.
TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth;
  const boxed = (node) => node && node !== document.body
    && (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX) || boxed(node.parentElement));
  const out = [...document.querySelectorAll('article *')]
    .filter((node) => node.getBoundingClientRect().right > room + 1 && !boxed(node));
  return { page: document.scrollingElement.scrollWidth - room,
    elements: out.slice(0, 5).map((node) => node.tagName + '.' + node.className) };
}"""
AXE_RUN = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => node.target.flat().join(' > '))}`)"""


def local_mathjax():
    return MATHJAX.is_dir()


def wait_for_maths(page):
    page.wait_for_function(
        "!document.querySelector('.math') || document.querySelector('mjx-container')", timeout=20_000
    )
    page.evaluate("window.MathJax?.startup?.promise?.then(() => true)")


def foreign(urls, home):
    """The addresses outside the site; MathJax's CDN is allowed where npm did not supply the files."""
    allowed = (home, "data:", "blob:") + (() if local_mathjax() else (MATHJAX_CDN,))
    return [url for url in urls if not url.startswith(allowed)]


def test_loads_without_error_or_foreign_request(built_page, site, visit):
    seen = visit(f"{site}/{built_page}")
    seen.page.wait_for_timeout(500)
    assert seen.response.ok and seen.page.title()
    assert seen.page.locator("article h1").count() == 1
    failed = [url for url in seen.failed if MATHJAX_CDN not in url or local_mathjax()]
    assert not failed
    assert not foreign(seen.requests, site)
    assert not [text for text in seen.errors if local_mathjax() or "ERR_" not in text]


def test_maths_is_rendered(built_page, site, visit):
    page = visit(f"{site}/{built_page}").page
    if not local_mathjax():
        pytest.skip("MathJax comes from its CDN here, which a test must not need")
    wait_for_maths(page)
    assert page.locator(".math:not(:has(mjx-container))").count() == 0
    text = page.evaluate(VISIBLE_TEXT)
    for raw in ("$", r"\(", r"\[", r"\frac", r"\sum"):
        where = text.find(raw)
        assert where < 0, f"raw TeX on the page: {text[max(where - 60, 0) : where + 60]!r}"


def test_images_have_alt_text_and_figures_captions(built_page, site, visit):
    for image in visit(f"{site}/{built_page}").page.evaluate(IMAGES):
        assert image["alt"].strip(), f"no alt text: {image['source']}"
        assert image["inFigure"] or image["live"], f"no caption: {image['source']}"


@pytest.mark.parametrize("theme", THEMES)
def test_the_page_never_scrolls_sideways(built_page, site, visit, theme):
    seen = visit(f"{site}/{built_page}")
    if local_mathjax():
        wait_for_maths(seen.page)
    for width in WIDTHS:
        seen.show(theme, width)
        wide = seen.page.evaluate(TOO_WIDE)
        assert wide["page"] <= 0 and not wide["elements"], f"{width} px, {theme}: {wide}"


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_no_serious_violation(built_page, site, visit, theme):
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    seen = visit(f"{site}/{built_page}")
    if local_mathjax():
        wait_for_maths(seen.page)
    seen.show(theme)
    seen.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert seen.page.evaluate(AXE_RUN) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_search_finds_greedy(site, visit, width):
    page = visit(f"{site}/search.html?q=greedy").page
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_selector("#search-results li a", timeout=20_000)
    hits = page.eval_on_selector_all("#search-results li a", "all => all.map((a) => a.pathname)")
    assert any("lectures/01" in hit for hit in hits), hits


def test_the_bare_address_leads_to_the_landing_page(site, visit):
    page = visit(f"{site}/").page
    page.wait_for_url("**/book/index.html**", timeout=10_000)
    assert page.locator("article h1").count() == 1
