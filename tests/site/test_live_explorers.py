"""The live figures of pages 02 and 03b in Chromium: numbers, keys, pointer, themes and narrow screens."""

import pytest
from decodelab import dists, explorers
from decodelab.explorers import city_dots
from decodelab.explorers.reshape import reshaped

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>figures</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">"""
COUNT_KEYS = "<script>window.keys = 0; addEventListener('keydown', () => { window.keys += 1; });</script>"
THEMED = """<style>html[data-theme=dark]{--pst-color-text-base:#ddd;--pst-color-background:#111}
html[data-theme=light]{--pst-color-text-base:#222;--pst-color-background:#fff}</style>"""
FIGURE = "[data-params]"
KINDS = ("beam", "shaping", "language")


def show(folder_site, visit, *figures, **options):
    """The page with these figures, and the first of them."""
    body = "".join(figure._repr_html_() for figure in figures)
    seen = visit(folder_site(HEAD + COUNT_KEYS + THEMED + body), **options)
    return seen, seen.page.locator(FIGURE).first


def cells(figure, row):
    return figure.locator("#table tr").nth(row).locator("td").all_inner_texts()


def near(texts, numbers):
    """Printed numbers of four decimals: ".0001" or "<.0001" or "0"."""
    shown = [float(text.replace("<", "").replace("−", "-").replace(",", "")) for text in texts]
    return shown == pytest.approx(list(numbers), abs=1.01e-4)


def slide(figure, name, value):
    figure.locator(f"#{name}").fill(str(value))


# --- every figure ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [390, 1280])
def test_loads_nothing_and_fits_in_light_and_dark(folder_site, visit, kind, width):
    seen, figure = show(folder_site, visit, getattr(explorers, kind)())
    for theme in ("dark", "light"):
        seen.show(theme, width)
        assert figure.locator(".card").evaluate("card => card.classList.contains('dark')") == (
            theme == "dark"
        )
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert not seen.errors
    assert [url for url in seen.requests if not url.startswith("data:")] == [seen.page.url]


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_has_a_name_and_the_fallback_needs_no_script(folder_site, visit, kind):
    seen, figure = show(folder_site, visit, getattr(explorers, kind)())
    unnamed = figure.evaluate("""host => [...host.shadowRoot.querySelectorAll(
        'input,select,[role=slider],[role=img]')]
        .filter(e => !(e.ariaLabel || e.labels?.length)).map(e => e.outerHTML)""")
    assert not unnamed
    off, _ = show(folder_site, visit, getattr(explorers, kind)(), java_script_enabled=False)
    assert off.page.locator("img").is_visible() and off.page.locator("table.dataframe").is_visible()


def test_all_stand_on_one_page_twice(folder_site, visit):
    figures = [getattr(explorers, kind)() for kind in KINDS for _ in range(2)]
    seen, first = show(folder_site, visit, *figures)
    assert seen.page.locator(FIGURE).count() == 6
    slide(first, "width", 3)
    assert seen.page.locator(FIGURE).nth(1).locator("#width-value").inner_text() == "2"
    assert not seen.errors


# --- beam -----------------------------------------------------------------------------------------------


def test_beam_goes_step_by_step_with_the_keyboard(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.beam())
    page, result = seen.page, figure.locator("#result")
    assert "3 texts compared, 2 kept, 1 pruned; 1 model call so far" in result.inner_text()
    for _ in range(3):
        page.keyboard.press("Tab")  # width, back, step
    before = page.evaluate("window.keys")
    for calls in (3, 5, 6):
        page.keyboard.press("Enter")
        assert f"{calls} model calls so far" in result.inner_text()
    assert "Search error: the beam found “I like singing .” with .096" in result.inner_text()
    assert "the best is “We like singing .” with .105" in result.inner_text()
    assert figure.locator("#on").get_attribute("aria-disabled") == "true"
    page.keyboard.press("Enter")
    assert figure.locator("#step-value").inner_text() == "Step 4 of 4"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert figure.locator("#step-value").inner_text() == "Step 3 of 4"
    assert page.evaluate("window.keys") == before, "a key reached the page"


def test_beam_is_wide_enough_or_not(folder_site, visit):
    _, figure = show(folder_site, visit, explorers.beam(step=5))
    for width, best in ((1, False), (3, True), (2, False), (4, True)):
        slide(figure, "width", width)
        assert ("No search error" in figure.locator("#result").inner_text()) == best
        assert ("calm" in figure.locator("#result").get_attribute("class")) == best


def test_beam_edits_of_the_model_keep_rows_at_one(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.beam(step=5))
    field = figure.get_by_label("We, first word")
    field.fill("0.1")
    values = [float(figure.get_by_label(f"{w}, first word").input_value()) for w in ("I", "You", "We")]
    assert values == pytest.approx([0.48, 0.42, 0.1], abs=1e-4)
    assert cells(figure, 1)[:2] == ["I like singing .", ".1152"]
    assert "No search error" in figure.locator("#result").inner_text()
    field.press("ArrowUp")
    assert field.input_value() == "0.15" and field.evaluate("field => field.matches(':focus')")
    field.fill("7")
    assert "No search error" in figure.locator("#result").inner_text(), (
        "what is no probability changes nothing"
    )
    field.blur()
    assert field.input_value() == "0.15"
    figure.locator("#restore").click()
    assert field.input_value() == "0.25" and "Search error" in figure.locator("#result").inner_text()
    assert not seen.errors


# --- shaping --------------------------------------------------------------------------------------------


def expected_rows(logits, **strategy):
    p = dists.softmax(logits)
    q = reshaped(p, **strategy)
    return [*p, float(dists.entropy(p))], [*q, float(dists.entropy(q))]


def assert_shapes(figure, logits, **strategy):
    soft, drawn = expected_rows(logits, **strategy)
    assert near(cells(figure, 2), soft)
    assert near([text.replace("×", "0") for text in cells(figure, 4)], drawn)


def test_shaping_shows_the_numbers_of_python_and_the_order(folder_site, visit):
    _, figure = show(folder_site, visit, explorers.shaping((3, 2, 1)))
    strategy = {"T": 0.5, "k": 3, "mass": 0.8, "ratio": 0}
    assert_shapes(figure, (3, 2, 1), **strategy)
    assert "temperature first keeps 1, truncation first keeps 2" in figure.locator("#result").inner_text()
    figure.locator("#first").select_option("truncation")
    assert_shapes(figure, (3, 2, 1), first="truncation", **strategy)
    for name, value in {"T": 1.5, "k": 2, "mass": 0.95, "ratio": 0.1}.items():
        slide(figure, name, value)
    assert_shapes(figure, (3, 2, 1), T=1.5, k=2, mass=0.95, ratio=0.1, first="truncation")
    assert "does not matter here" in figure.locator("#result").inner_text()


def test_shaping_turns_logits_by_key_and_pointer(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.shaping((3, 2, 1), T=1, mass=1))
    bar = figure.get_by_role("slider", name="Logit of token 1")
    bar.focus()
    before = seen.page.evaluate("window.keys")
    for key in ("ArrowUp", "PageDown", "ArrowRight", "ArrowDown"):
        bar.press(key)
    assert bar.get_attribute("aria-valuenow") == "1.1"
    assert_shapes(figure, (3, 1.1, 1))
    bar.press("End")
    bar.press("ArrowUp")
    assert bar.get_attribute("aria-valuenow") == "5"
    assert seen.page.evaluate("window.keys") == before, "a key reached the page"
    box = bar.bounding_box()
    seen.page.mouse.move(box["x"] + 9, box["y"] + 9)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] + 9, box["y"] + 0.75 * box["height"])
    seen.page.mouse.up()
    assert float(bar.get_attribute("aria-valuenow")) == pytest.approx(-2.5, abs=0.11)
    seen.page.mouse.move(box["x"] + 9, box["y"])
    assert float(bar.get_attribute("aria-valuenow")) < 0, "only a held pointer drags"
    figure.locator("#reset").click()
    assert_shapes(figure, (3, 2, 1))


# --- language -------------------------------------------------------------------------------------------


def assert_weighs(figure, **strategy):
    stands = city_dots.standing(city_dots.law(**strategy))
    entropy, left, divergence, *shares = cells(figure, 2)
    assert near([entropy, left, *shares], [stands["entropy"], stands["left"], *stands["shares"]])
    assert divergence == "infinite" if stands["lost"] else near([divergence], [stands["kl"]])


def test_language_shows_the_numbers_of_python(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.language())
    assert_weighs(figure)
    slide(figure, "T", 0.5)
    assert cells(figure, 2)[0] == "7.8417" and cells(figure, 2)[5] == ".7324"
    assert_weighs(figure, T=0.5)
    slide(figure, "k", 3)
    assert_weighs(figure, T=0.5, k=3)
    assert "infinite" in figure.locator("#result").inner_text()
    slide(figure, "mass", 0.9)
    slide(figure, "ratio", 0.2)
    figure.locator("#first").select_option("truncation")
    assert_weighs(figure, T=0.5, k=3, mass=0.9, ratio=0.2, first="truncation")
    slide(figure, "T", 0)
    assert cells(figure, 2)[:3] == ["0", "1", "infinite"]
    assert not seen.errors


def test_language_names_sentences_by_rank_and_under_the_pointer(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.language())
    spoken = figure.locator("#spoken")
    assert spoken.inner_text().startswith("pittsburgh draws visitors with its bridges .")
    figure.locator("#rank").press("ArrowRight")
    assert spoken.inner_text().startswith("pittsburgh has a famous university downtown .")
    figure.locator("#dots").scroll_into_view_if_needed()
    box = figure.locator("#dots").bounding_box()
    for y in range(80, 140, 4):  # somewhere in the band of draws
        seen.page.mouse.move(box["x"] + box["width"] * 0.33, box["y"] + y)
    assert figure.locator("#rank-value").inner_text() == "under the pointer"
    figure.locator("#rank").press("Home")
    assert spoken.inner_text().startswith("pittsburgh draws visitors")


@pytest.mark.parametrize("ratio", [1, 2])
def test_language_draws_its_dots_sharp(folder_site, visit, ratio):
    seen, figure = show(folder_site, visit, explorers.language(k=3), device_scale_factor=ratio)
    drawn = """canvas => [canvas.width / canvas.clientWidth, new Set(new Uint32Array(
        canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size]"""
    for theme in ("light", "dark"):
        seen.show(theme)
        scale, colours = figure.locator("#dots").evaluate(drawn)
        assert scale == pytest.approx(ratio, abs=0.01) and colours > 5
