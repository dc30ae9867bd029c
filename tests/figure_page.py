"""A page of live figures that needs no built book, and what every figure must do there."""

from decodelab import explorers

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>figures</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">"""
COUNT_KEYS = "<script>window.keys = 0; addEventListener('keydown', () => { window.keys += 1; });</script>"
THEMED = """<style>html[data-theme=dark]{--pst-color-text-base:#ddd;--pst-color-background:#111}
html[data-theme=light]{--pst-color-text-base:#222;--pst-color-background:#fff}</style>"""


def show(folder_site, visit, *figures, **options):
    """The page with these figures, and the first of them."""
    body = "".join(figure._repr_html_() for figure in figures)
    seen = visit(folder_site(HEAD + COUNT_KEYS + THEMED + body), **options)
    return seen, seen.page.locator("[data-params]").first


def check_names_and_fallback(folder_site, visit, kind):
    """Every control has a name, and without a script a picture and a table stand in."""
    seen, figure = show(folder_site, visit, *(getattr(explorers, kind)() for _ in range(2)))
    unnamed = figure.evaluate("""host => [...host.shadowRoot.querySelectorAll(
        'input,select,button,[tabindex]')]
        .filter(e => !(e.ariaLabel || e.labels?.length || e.textContent.trim())).map(e => e.outerHTML)""")
    assert not unnamed and not seen.errors
    assert figure.locator("#result").get_attribute("aria-live") == "polite"
    off, _ = show(folder_site, visit, getattr(explorers, kind)(), java_script_enabled=False)
    assert off.page.locator("img").is_visible() and off.page.locator("table.dataframe").is_visible()
