"""The live figures of pages 04 and 05 in Chromium: numbers, keys, themes and narrow screens."""

import pytest
from decodelab import explorers, roofline
from decodelab.explorers import rewind_rows
from decodelab.hardware import DEVICES, MODELS
from figure_page import check_names_and_fallback, show

KINDS = ("rewind", "roofline")


def says(figure):
    return figure.locator("#result").inner_text()


# --- both figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [390, 1280])
def test_loads_nothing_and_fits_in_light_and_dark(folder_site, visit, kind, width):
    options = {"held": 100, "gamma": 8, "accepted": 3, "step": 3} if kind == "rewind" else {"draft": 4}
    seen, figure = show(folder_site, visit, getattr(explorers, kind)(**options))
    for theme in ("dark", "light"):
        seen.show(theme, width)
        assert figure.locator(".card").evaluate("card => card.classList.contains('dark')") == (
            theme == "dark"
        )
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        cells = figure.evaluate("""host => [...host.shadowRoot.querySelectorAll('.cell')]
            .filter(cell => cell.scrollWidth > cell.clientWidth).length""")
        assert cells == 0, "a token does not fit its cell"
    assert not seen.errors
    assert [url for url in seen.requests if not url.startswith("data:")] == [seen.page.url]


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_has_a_name_and_the_fallback_needs_no_script(folder_site, visit, kind):
    check_names_and_fallback(folder_site, visit, kind)


# --- rewind ---------------------------------------------------------------------------------------------


def row(figure, name):
    """Numbers of one cache from the table; those that are not known yet are left out."""
    line = figure.locator("#table tbody tr").nth(["target", "draft"].index(name))
    return [int(text) for text in line.locator("td").all_inner_texts() if text != "·"]


def marks(figure):
    """Counts of the glyphs on the tape of each cache, and where it starts."""
    tracks = figure.locator("#tape .cells").evaluate_all(
        "tracks => tracks.map(t => [...t.children].map(c => c.textContent))"
    )
    return [{glyph: track.count(glyph) for glyph in "■+×○"} for track in tracks[2:]]


def assert_round(figure, counts, hidden):
    """The figure shows a finished round; `hidden` rows stand before the first cell of the tape."""
    assert row(figure, "target") == list(counts.target)
    assert row(figure, "draft") == list(counts.draft)
    for seen, rows in zip(marks(figure), (counts.target, counts.draft), strict=True):
        assert seen == {"■": rows.after - hidden, "+": 0, "×": 0, "○": rows.left}
    text = says(figure)
    assert f"{counts.committed} tokens are committed" in text
    assert f"Target: γ − a = {counts.target.cut} cut, {counts.target.after} left." in text
    if counts.draft.left == 1:
        assert f"Draft: γ − a − 1 = {counts.draft.cut} cut, {counts.draft.after} left." in text
        assert "both caches are one short" in text
    else:
        assert f"γ − a − 1 = −1: none to cut and one missing, {counts.draft.after} left" in text
        assert "the target is one short, the draft two" in text


@pytest.mark.parametrize("gamma", range(1, 9))
def test_rewind_equals_python_for_every_accept_length_by_keyboard(folder_site, visit, gamma):
    """Two rounds for each number accepted: the second begins where the first has left both caches."""
    seen, figure = show(folder_site, visit, explorers.rewind(10, gamma, 0))
    keys, slider = seen.page.keyboard, figure.locator("#accepted")
    before = seen.page.evaluate("window.keys")
    for accepted in range(gamma + 1):
        slider.focus()
        keys.press("Home")
        for _ in range(accepted):
            keys.press("ArrowRight")
        assert slider.get_attribute("aria-valuetext") == f"{accepted} of {gamma}"
        for _ in range(3):
            keys.press("Tab")  # back, step, whole round
        keys.press("Enter")
        first = rewind_rows.rewind(10, gamma, accepted)
        assert_round(figure, first, 7)
        keys.press("Space")
        behind = first.target.after - first.draft.after
        second = rewind_rows.rewind(first.target.after, gamma, accepted, behind=behind)
        assert_round(figure, second, first.target.after - 3)
        assert figure.locator("#step-value").inner_text() == "Round 2: rewinding"
        keys.press("Tab")
        keys.press("Enter")  # start again: also the number accepted is the first one's
        assert figure.locator("#accepted-value").inner_text() == "0"
    assert seen.page.evaluate("window.keys") == before, "a key reached the page"
    assert not seen.errors


@pytest.mark.parametrize("accepted", range(5))
def test_rewind_phase_by_phase_and_back(folder_site, visit, accepted):
    _, figure = show(folder_site, visit, explorers.rewind(10, 4, accepted))
    counts = rewind_rows.rewind(10, 4, accepted)
    none = {"■": 3, "+": 0, "×": 0, "○": 1}  # ten rows of which three are shown, one token pending
    drafted = {"■": 3, "+": 4, "×": 0, "○": 0}
    verified = {"■": 3, "+": 5, "×": 0, "○": 0}
    full = accepted == 4
    decided = [
        {"■": 3, "+": 1 + accepted, "×": 4 - accepted, "○": 0},
        {"■": 3, "+": 4 if full else 1 + accepted, "×": counts.draft.cut, "○": 0},
    ]
    stages = [
        ([none, none], "11 tokens are committed", [10], [10]),
        ([none, drafted], "4 rows more, 14 in all", [10], [10, 4, 14]),
        ([verified, drafted], "5 rows more, 15 in all", [10, 5, 15], [10, 4, 14]),
        (decided, "bonus" if full else "resampled", list(counts.target[:4]), list(counts.draft[:4])),
    ]
    step, back = figure.locator("#on"), figure.locator("#back")
    for shown, words, target, draft in stages:
        assert marks(figure) == shown and words in says(figure)
        assert (row(figure, "target"), row(figure, "draft")) == (target, draft)
        step.press("Enter")
    assert_round(figure, counts, 7)
    step.press("Enter")
    assert figure.locator("#step-value").inner_text() == "Round 2: drafting"
    assert ("the token it has missed" in says(figure)) == full
    assert row(figure, "draft")[1] == (5 if full else 4)
    back.press("Enter")
    assert_round(figure, counts, 7)
    for shown, words, *_ in reversed(stages):
        back.press("Enter")
        assert marks(figure) == shown and words in says(figure)
    assert back.get_attribute("aria-disabled") == "true"
    back.press("Enter")
    assert figure.locator("#step-value").inner_text() == "Round 1: before the round"


def test_rewind_fewer_drafts_accept_no_more_than_there_are(folder_site, visit):
    _, figure = show(folder_site, visit, explorers.rewind(10, 6, 6, step=4))
    assert_round(figure, rewind_rows.rewind(10, 6, 6), 7)
    figure.locator("#gamma").fill("2")
    assert_round(figure, rewind_rows.rewind(10, 2, 2), 7)
    figure.locator("#gamma").fill("5")
    assert_round(figure, rewind_rows.rewind(10, 5, 2), 7)


# --- roofline -------------------------------------------------------------------------------------------


def test_roofline_says_what_bounds_the_step(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.roofline())
    assert says(figure) == "26.03 GB of weights at 2.039 TB/s: 12.77 ms a token; memory bound."
    before = seen.page.evaluate("window.keys")
    figure.locator("#batch").press("End")
    assert figure.locator("#batch-value").inner_text() == "1,024" and "compute bound" in says(figure)
    figure.locator("#context").press("End")
    assert "memory bound" in says(figure) and "It does not fit" in says(figure)
    assert "calm" not in figure.locator("#result").get_attribute("class")
    figure.locator("#batch").press("Home")
    figure.locator("#context").press("Home")
    figure.locator("#draft").press("ArrowRight")
    assert "Verifying 1 draft costs v(1) = 1 plain steps" in says(figure)
    assert seen.page.evaluate("window.keys") == before, "a key reached the page"
    assert not seen.errors


@pytest.mark.parametrize(("device", "model"), list(zip(DEVICES, MODELS, strict=False)))
def test_roofline_shows_the_numbers_of_python(folder_site, visit, device, model):
    seen, figure = show(folder_site, visit, explorers.roofline())
    figure.locator("#device").select_option(device)
    figure.locator("#model").select_option(model)
    figure.locator("#dtype").select_option("int8")
    for name, position in (("batch", 6), ("context", 9), ("draft", 7)):
        figure.locator(f"#{name}").fill(str(position))
    fresh = explorers.roofline(device, model, dtype="int8", batch=12, context=2048, draft=7)
    shown = {
        line.locator("th").inner_text(): line.locator("td").all_inner_texts()
        for line in figure.locator("#table tbody tr").all()
    }
    texts = {
        line[0]: [cell.removeprefix("0") if cell != "0" else cell for cell in line[1:]]
        for line in fresh.table
    }
    for name in ("work, GFLOP", "weights read, GB", "cache read, GB", "FLOP per byte", "bound by"):
        assert shown[name] == texts[name], name
    assert shown["time, ms"] == texts["time of a step, ms"]
    assert shown["plain steps it costs"] == texts["plain steps it costs"]
    shape = MODELS[model]
    needed = roofline.bytes_weights(shape, "int8") + 12 * 2048 * roofline.bytes_kv_token(shape)
    assert ("It does not fit" in says(figure)) == (needed > DEVICES[device].bytes_memory)
    assert not seen.errors
