"""The live figures of pages 06a, 06c and of the museum in Chromium: numbers, keys, pointer, touch, themes."""

import pytest
from decodelab import dists, explorers, power, speculative
from decodelab.explorers import detect
from decodelab.explorers.fault_rows import FAULTS, fault
from decodelab.explorers.verify_row import RULES, dragged, outcome
from figure_page import check_names_and_fallback, show

FIGURE = "[data-params]"
KINDS = ("verification", "museum_samples")
P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
FOUR = ((0.5, 0.3, 0.15, 0.05), (0.2, 0.3, 0.3, 0.2))


def number(text):
    """A printed number: ".0946", "1,000", "+.05" or "2.5 · 10⁻⁶"."""
    ups = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    text = text.replace(",", "").replace("−", "-").replace("TV ", "").strip()
    lead, _, power = text.rpartition("10") if text.translate(ups) != text else (text, "", "0")
    return (float(lead.rstrip(" ·")) if lead else 1.0) * 10.0 ** int(power.translate(ups))


def rows(figure):
    """The numbers of the figure's table, by the name of the row."""
    return {
        line.locator("th").inner_text(): [number(x) for x in line.locator("td").all_inner_texts()]
        for line in figure.locator("#table tbody tr").all()
    }


def says(figure):
    return figure.locator("#result").inner_text().replace("\xa0", " ")


# --- both figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [390, 1280])
def test_loads_nothing_and_fits_in_light_and_dark(folder_site, visit, kind, width):
    four = {"p": FOUR[0], "q": FOUR[1], "rule": "typical_acceptance"} if kind == "verification" else {}
    seen, figure = show(folder_site, visit, getattr(explorers, kind)(**four))
    for theme in ("dark", "light"):
        seen.show(theme, width)
        assert figure.locator(".card").evaluate("card => card.classList.contains('dark')") == (
            theme == "dark"
        )
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        table = figure.locator(".scroll").evaluate("box => [box.scrollWidth, box.clientWidth]")
        assert table[0] <= table[1], "the table does not fit"
    assert not seen.errors
    assert [url for url in seen.requests if not url.startswith("data:")] == [seen.page.url]


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_has_a_name_and_the_fallback_needs_no_script(folder_site, visit, kind):
    check_names_and_fallback(folder_site, visit, kind)


# --- verification ---------------------------------------------------------------------------------------


def assert_verifies(figure, p, q, rule, gamma=4, **settings):
    """The figure shows rows, law, distance, acceptance and tokens of the Python twin."""
    out, seen = outcome(rule, p, q, **settings), rows(figure)
    accepted = min(float(out.acceptance), 1.0)
    right = {
        "p": [*p, 1],
        "q": [*q, 1],
        "min(p, q)": [*map(min, p, q), sum(map(min, p, q))],
        "residual": [*dists.residual(p, q), 1],
        "kept": [*out.kept, accepted],
        "emitted": [*out.law, 1],
        "emitted − p": [*(out.law - p), dists.tv(out.law, p)],
    }
    assert seen.keys() == right.keys()
    for name, numbers in right.items():
        assert seen[name] == pytest.approx(numbers, abs=5.1e-5), name
    tokens = speculative.expected_tokens(accepted, gamma)
    assert f"With γ = {gamma}, a call gives {tokens:.3f}".rstrip("0").rstrip(".") in says(figure)
    exact = dists.tv(out.law, p) < 1e-12
    assert ("calm" in figure.locator("#result").get_attribute("class")) == exact
    assert figure.locator("#tokens circle").count() == 11


def bar(figure, row, token):
    name = "target p" if row == "p" else "draft q"
    return figure.get_by_role("slider", name=f"{name} of token {token}")


def press(bar, *keys):
    bar.focus()
    for key in keys:
        bar.press(key)


@pytest.mark.parametrize("rule", RULES)
def test_verification_shows_the_numbers_of_python_for_every_rule(folder_site, visit, rule):
    seen, figure = show(folder_site, visit, explorers.verification())
    figure.locator("#rule").select_option(rule)
    assert_verifies(figure, P, Q, rule)
    figure.get_by_role("button", name="four tokens").click()
    assert_verifies(figure, *FOUR, rule)
    figure.get_by_role("button", name="disjoint").click()
    assert_verifies(figure, (0.6, 0.4, 0), (0, 0, 1), rule)
    figure.get_by_role("button", name="P and Q").click()
    figure.get_by_role("button", name="p = q").click()
    assert_verifies(figure, P, P, rule)
    assert ("the residual is zero" in says(figure)) and not seen.errors


def test_verification_parameters_belong_to_their_rules(folder_site, visit):
    _, figure = show(folder_site, visit, explorers.verification(*FOUR))
    sliders = {
        "top_k": {"k": 2},
        "lenient": {"leniency": 0.8},
        "typical_acceptance": {"epsilon": 0.2, "delta": 0.9},
    }
    for rule in RULES:
        figure.locator("#rule").select_option(rule)
        for owner, settings in sliders.items():
            for name, value in settings.items():
                assert figure.locator(f"#{name}").is_visible() == (owner == rule)
                if owner == rule:
                    figure.locator(f"#{name}").fill(str(value))
        assert_verifies(figure, *FOUR, rule, **sliders.get(rule, {}))
    figure.get_by_role("button", name="P and Q").click()
    figure.locator("#rule").select_option("top_k")
    figure.locator("#k").press("End")
    assert figure.locator("#k-value").inner_text() == "3"
    assert_verifies(figure, P, Q, "top_k", k=3)


def test_verification_counts_tokens_for_each_gamma(folder_site, visit):
    _, figure = show(folder_site, visit, explorers.verification(gamma=0))
    assert "a call gives 1 token, at most 3.333 for any γ" in says(figure)
    for gamma in range(1, 11):
        figure.locator("#gamma").press("ArrowRight")
        assert_verifies(figure, P, Q, "rejection", gamma)
    figure.locator("#rule").select_option("accept_all")
    assert "a call gives 11 tokens." in says(figure), "with α = 1 there is no limit"


def test_verification_bars_by_keyboard_share_the_rest_and_keep_their_keys(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.verification())
    before = seen.page.evaluate("window.keys")
    press(
        bar(figure, "p", 0),
        "ArrowUp",
        "PageUp",
        "ArrowRight",
        "ArrowDown",
        "ArrowLeft",
        "PageDown",
        "ArrowUp",
    )
    p = dragged(P, 0, 0.51)
    assert_verifies(figure, p, Q, "rejection")
    assert bar(figure, "p", 0).get_attribute("aria-valuetext") == ".51, min(p, q) .2"
    press(bar(figure, "q", 2), "Home")
    q = dragged(Q, 2, 0)
    assert_verifies(figure, p, q, "rejection")
    press(bar(figure, "p", 0), "End")
    assert_verifies(figure, (1, 0, 0), q, "rejection")
    press(bar(figure, "p", 0), *["ArrowDown"] * 49)
    assert_verifies(figure, p, q, "rejection")
    assert float(bar(figure, "p", 0).get_attribute("aria-valuenow")) == pytest.approx(0.51)
    assert seen.page.evaluate("window.keys") == before, "a key reached the page"
    assert not seen.errors


def test_verification_bars_by_mouse(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.verification())
    track, mouse = bar(figure, "q", 1), seen.page.mouse
    track.scroll_into_view_if_needed()
    box = track.bounding_box()
    x, low = box["x"] + box["width"] / 2, box["y"] + box["height"]
    mouse.move(x, low - 20)
    mouse.down()
    mouse.move(x, low - 0.8 * box["height"])
    value = float(track.get_attribute("aria-valuenow"))
    assert value == pytest.approx(0.8, abs=0.011)
    assert_verifies(figure, P, dragged(Q, 1, value), "rejection")
    mouse.move(x + 300, low - 3 * box["height"])  # outside of the bar the pointer still holds it
    assert_verifies(figure, P, (0, 1, 0), "rejection")
    mouse.move(x, low - 0.5 * box["height"])
    mouse.up()
    value = float(track.get_attribute("aria-valuenow"))
    assert_verifies(figure, P, dragged(Q, 1, value), "rejection")
    mouse.move(x, low)
    assert float(track.get_attribute("aria-valuenow")) == value, "only a held pointer drags"


def test_verification_bars_by_touch(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.verification(*FOUR), has_touch=True)
    seen.show("light", 390)
    track = bar(figure, "p", 3)
    track.scroll_into_view_if_needed()
    box, scrolled = track.bounding_box(), seen.page.evaluate("scrollY")
    touch = seen.page.context.new_cdp_session(seen.page)
    x, low = box["x"] + box["width"] / 2, box["y"] + box["height"]

    def send(kind, *heights):
        points = [{"x": x, "y": low - height * box["height"]} for height in heights]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0.05)
    for height in (0.2, 0.4, 0.6):
        send("touchMove", height)
    send("touchEnd")
    value = float(track.get_attribute("aria-valuenow"))
    assert value == pytest.approx(0.6, abs=0.011)
    assert_verifies(figure, dragged(FOUR[0], 3, value), FOUR[1], "rejection")
    assert seen.page.evaluate("scrollY") == scrolled, "a finger on a bar does not scroll the page"


def test_verification_draws_what_is_kept(folder_site, visit):
    _, figure = show(folder_site, visit, explorers.verification())
    shared = figure.locator(".shared").evaluate_all("parts => parts.map(part => part.style.height)")
    assert shared == ["20%", "20%", "30%", "30%", "20%", "20%"]
    figure.locator("#rule").select_option("redraw")
    assert "Not p: TV .15." in says(figure)
    assert figure.locator("#emitted .off").all_text_contents() == [".35", ".39", ".26"]
    assert figure.locator("#title").inner_text() == "What comes out: TV .15 from p"


# --- museum_samples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("t", [0, 0.5, 1])
def test_museum_shows_the_numbers_of_python_for_every_fault(folder_site, visit, name, t):
    seen, figure = show(folder_site, visit, explorers.museum_samples())
    figure.locator("#bug").select_option(name)
    figure.locator("#t").fill(str(t))
    law, acceptance, right = fault(name, P, detect.nearer(Q, P, t))
    needed = power.samples_needed(law, P, 1e-6)
    shown = rows(figure)
    expected = {
        "right rule": [*P, 0, right, 1e-6],
        "with the fault": [*law, dists.tv(law, P), acceptance, power.detection(law, P, 100, 1e-6)],
    }
    for row, numbers in expected.items():
        for printed, ours in zip(shown[row], numbers, strict=True):
            assert abs(printed - ours) <= (5.1e-5 if ours >= 0.01 else 0.06 * ours + 1e-12)
    looks_better = acceptance > right + 1e-12
    assert ("looks better" in says(figure)) == looks_better
    hidden = dists.tv(law, P) < 1e-12
    assert ("the fault cannot show" in says(figure)) == hidden
    note = figure.locator("#n-note").inner_text()
    assert note == "No number of samples flags it." if hidden else f"{int(-(-needed // 1)):,}." in note
    assert not seen.errors


def test_museum_answers_to_the_keyboard(folder_site, visit):
    seen, figure = show(folder_site, visit, explorers.museum_samples(cutoff=0.05))
    keys = seen.page.keyboard
    keys.press("Tab")
    before = seen.page.evaluate("window.keys")
    keys.press("ArrowDown")
    assert figure.locator("#bug").input_value() == "accepts_everything"
    for _ in range(2):
        keys.press("Tab")
    keys.press("End")
    assert figure.locator("#n").get_attribute("aria-valuetext") == "100,000,000 samples"
    assert "flags it practically always" in says(figure)
    assert seen.page.evaluate("window.keys") == before, "a key reached the page"


# --- the pages of the book ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "kind"),
    [("lectures/06a_one_token", "verification"), ("book/museum", "museum_samples")],
)
def test_the_page_of_the_book_is_alive(site, visit, page, kind):
    seen = visit(f"{site}/{page}.html")
    if seen.response.status == 404:
        pytest.skip(f"{page} is not built")
    all_figures = seen.page.locator(FIGURE).all()
    named = f"decodelab-{kind}-"
    figure = next(one for one in all_figures if one.evaluate("host => host.localName").startswith(named))
    if kind == "verification":
        figure.get_by_role("button", name="four tokens").click()
        names = ("rule", "gamma", "k", "leniency", "epsilon", "delta")
        rule, *values = (figure.locator(f"#{name}").input_value() for name in names)
        gamma, k, *levels = map(float, values)
        settings = dict(zip(names[3:], levels, strict=True))
        assert_verifies(figure, *FOUR, rule, int(gamma), k=int(k), **settings)
    else:
        figure.locator("#n").press("End")
        assert figure.locator("#n-value").inner_text() == "100,000,000"
    off = visit(f"{site}/{page}.html", java_script_enabled=False).page
    assert off.locator(FIGURE).first.locator("img").is_visible()
