"""The live figures in Chromium: keys, numbers, themes, a sandboxed frame, and no JavaScript at all."""

import html
import math

import pytest
from decodelab import dists, explorers
from decodelab.explorers import detect, how_many

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>figures</title>
<link rel="icon" href="data:,">"""
THEMED = """<style>html[data-theme=dark]{--pst-color-text-base:#ddd;--pst-color-background:#111}
html[data-theme=light]{--pst-color-text-base:#222;--pst-color-background:#fff}</style>"""
COUNT_KEYS = "<script>window.keys = 0; addEventListener('keydown', () => { window.keys += 1; });</script>"
FIGURE = "[data-params]"


def samples_at(position):
    """The number of samples at a place of the slider, as samples.js has it: two significant digits."""
    return float(f"{10**position:.1e}")


def number(text):
    """A printed number: ".0946", "1,000" or "2.5 · 10⁻⁶"."""
    ups = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    text = text.replace(",", "").strip()
    lead, _, power = text.rpartition("10") if text.translate(ups) != text else (text, "", "0")
    return (float(lead.rstrip(" ·")) if lead else 1.0) * 10.0 ** int(power.translate(ups))


def last_row(figure):
    """What the figure's table says of decoder C: its law, its distance, the chance that it is flagged."""
    return [number(cell) for cell in figure.locator("#table tr").last.locator("td").all_inner_texts()]


def expected_row(bug, t, n, cutoff):
    law = how_many.broken_law(bug, P, detect.nearer(Q, P, t))
    return [*law, dists.tv(law, P), detect.detection(law, P, n, cutoff)]


def assert_shows(figure, bug, t, n, cutoff):
    for shown, right in zip(last_row(figure), expected_row(bug, t, n, cutoff), strict=True):
        # Four decimals, or two significant digits below .01.
        assert abs(shown - right) <= (5.1e-5 if right >= 0.01 else 0.06 * right)


def test_starts_with_the_numbers_of_python(folder_site, visit):
    seen = visit(folder_site(HEAD + explorers.samples()._repr_html_()))
    figure = seen.page.locator(FIGURE)
    assert_shows(figure, "another", 0, 100, 0.05)
    assert "misses this bug 6 times in 10" in figure.locator("#result").inner_text()
    needed = detect.samples_needed(how_many.broken_law("another", P, Q), P, 0.05)
    assert f"takes {math.ceil(needed)}." in figure.locator("#n-note").inner_text()
    assert not seen.errors
    assert [url for url in seen.requests if not url.startswith("data:")] == [seen.page.url]


def test_answers_to_the_keyboard_and_keeps_its_keys(folder_site, visit):
    page = visit(folder_site(HEAD + COUNT_KEYS + explorers.samples()._repr_html_())).page
    figure = page.locator(FIGURE)
    page.keyboard.press("Tab")  # bug
    page.keyboard.press("Tab")  # cut-off
    page.keyboard.press("Tab")  # samples
    before = page.evaluate("window.keys")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert_shows(figure, "another", 0, samples_at(2.7), 0.05)
    assert figure.locator("#n").get_attribute("aria-valuetext") == "500 samples"
    page.keyboard.press("End")
    assert_shows(figure, "another", 0, 1e8, 0.05)
    page.keyboard.press("Tab")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert_shows(figure, "another", 0.2, 1e8, 0.05)
    assert page.evaluate("window.keys") == before, "a key reached the page"


@pytest.mark.parametrize("bug", how_many.BUGS)
@pytest.mark.parametrize("cutoff", how_many.CUTOFFS)
def test_every_choice_shows_the_numbers_of_python(folder_site, visit, bug, cutoff):
    start = explorers.samples(n=1000, bug=bug, cutoff=cutoff, t=0.5)
    figure = visit(folder_site(HEAD + start._repr_html_())).page.locator(FIGURE)
    assert_shows(figure, bug, 0.5, 1000, cutoff)
    assert figure.locator("#t").is_disabled() == (bug == "byte")
    figure.locator("#bug").select_option("redraw")
    figure.locator("#cutoff").select_option("0.05")
    assert_shows(figure, "redraw", 0.5, 1000, 0.05)


def test_says_so_when_the_draft_hides_the_bug(folder_site, visit):
    figure = visit(folder_site(HEAD + explorers.samples(t=1)._repr_html_())).page.locator(FIGURE)
    assert "the bug cannot show" in figure.locator("#result").inner_text()
    assert figure.locator("#n-note").inner_text() == "No number of samples flags C."


def test_follows_the_theme_of_the_page(folder_site, visit):
    seen = visit(folder_site(HEAD + THEMED + explorers.samples()._repr_html_()))
    card = seen.page.locator(FIGURE).locator(".card")
    for theme in ("dark", "light", "dark"):
        seen.show(theme)
        seen.page.emulate_media(color_scheme="light")  # the page's theme wins over the system's
        assert card.evaluate("card => card.classList.contains('dark')") == (theme == "dark")


def test_follows_the_system_where_the_page_has_no_theme(folder_site, visit):
    page = visit(folder_site(HEAD + explorers.samples()._repr_html_()), color_scheme="dark").page
    card = page.locator(FIGURE).locator(".card")
    assert card.evaluate("card => card.classList.contains('dark')")


def test_several_stand_on_one_page_each_with_its_own_state(folder_site, visit):
    body = "".join(explorers.samples(n=n)._repr_html_() for n in (10, 1000))
    seen = visit(folder_site(HEAD + body))
    first, second = seen.page.locator(FIGURE).all()
    first.locator("#n").press("Home")
    assert_shows(first, "another", 0, 10, 0.05)
    assert_shows(second, "another", 0, 1000, 0.05)
    assert not seen.errors


def test_lives_in_a_sandboxed_frame(folder_site, visit):
    inner = html.escape(HEAD + explorers.samples()._repr_html_(), quote=True)
    frame = f'<iframe sandbox="allow-scripts" width="900" height="900" srcdoc="{inner}"></iframe>'
    page = visit(folder_site(HEAD + frame)).page
    figure = page.frame_locator("iframe").locator(FIGURE)
    figure.locator("#n").press("ArrowRight")
    assert_shows(figure, "another", 0, samples_at(2.1), 0.05)


def test_without_javascript_the_picture_and_the_table_stay(folder_site, visit):
    page = visit(folder_site(HEAD + explorers.samples()._repr_html_()), java_script_enabled=False).page
    assert page.locator("img[alt*='exact law']").is_visible()
    assert page.locator("table.dataframe").is_visible()


def test_a_figure_that_fails_shows_its_picture(folder_site, visit):
    broken = explorers.samples()._repr_html_().replace("data-params=", "data-none=")
    seen = visit(folder_site(HEAD + broken))
    assert seen.page.locator("img").is_visible() and seen.errors


def test_the_page_of_the_book_is_alive(site, visit):
    page = visit(f"{site}/lectures/00_start.html").page
    figure = page.locator(FIGURE).first
    figure.locator("#n").press("End")
    assert figure.locator("#n-value").inner_text() == "100,000,000"
    assert_shows(figure, "another", 0, 1e8, 0.05)
    off = visit(f"{site}/lectures/00_start.html", java_script_enabled=False).page
    assert off.locator(FIGURE).first.locator("img").is_visible()
