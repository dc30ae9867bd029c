"""Figures: each function draws what it was given, and leaves the reader's settings alone."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from decodelab import plots
from decodelab.beam import Hypothesis

ROWS = {"target": [0.5, 0.3, 0.2], "ours": [0.5, 0.25, 0.25]}


def figures():
    grid = np.linspace(0, 1, 5)
    return {
        "exchange": lambda: plots.exchange([0.5, 0.3, 0.2], [0.2, 0.5, 0.3]),
        "rows": lambda: plots.rows(ROWS, target="target", wrong=["ours"]),
        "curves": lambda: plots.curves(
            [1, 2, 4], {"a": [1, 2, 3], "b": [3, 2, 1]}, xlabel="x", ylabel="y", log="x"
        ),
        "beams": lambda: plots.beams(
            [[Hypothesis((1,), -0.5, False)], [Hypothesis((1, 0), -1.0, True)]], str
        ),
        "words": lambda: plots.words({"one": [("a", 0.5), (".", 1.0)], "two": [("b", 0.0)]}, xlabel="x"),
        "dots": lambda: plots.dots([1.0, 2.0, 3.0], ["x", "x", "y"], mark=2, mark_label="m", xlabel="v"),
        "shares": lambda: plots.shares({"one": {"x": 0.4, "y": 0.6}}, xlabel="share"),
        "averages": lambda: plots.averages(
            {"n = 1": (grid, grid / grid.sum())}, mark=0.5, mark_label="m", xlabel="v"
        ),
    }


@pytest.mark.parametrize("name", figures())
def test_a_figure_has_labelled_axes_and_leaves_the_settings_alone(name):
    before = dict(plt.rcParams)
    figure = figures()[name]()
    figure.canvas.draw()
    assert figure.axes[0].get_xlabel()
    assert dict(plt.rcParams) == before
    plt.close(figure)


def test_bars_show_the_numbers_in_the_colours_of_their_roles():
    figure = plots.rows(ROWS, target="target", wrong=["ours"])
    bars = figure.axes[0].containers
    assert [[bar.get_height() for bar in group] for group in bars] == list(ROWS.values())
    colours = [plt.matplotlib.colors.to_hex(group[0].get_facecolor()) for group in bars]
    assert colours == [plots.COLOURS["target"], plots.COLOURS["wrong"]]
    plt.close(figure)


def test_an_exchange_is_cut_at_the_smaller_of_both_and_nothing_is_lost():
    p, q = ROWS["target"], [0.2, 0.5, 0.3]
    figure = plots.exchange(p, q)
    kept, rejected, drawn = figure.axes[0].containers
    assert [bar.get_height() for bar in kept] == [0.2, 0.3, 0.2] * 2
    for part, row, side in (rejected, q, -1), (drawn, p, 1):
        tops = [bar.get_y() + bar.get_height() for bar in part]
        assert tops == pytest.approx(row) and [bar.get_y() for bar in part] == [0.2, 0.3, 0.2]
        middles = [bar.get_x() + bar.get_width() / 2 for bar in part]
        assert all(0 < side * (middle - x) < 0.25 for x, middle in enumerate(middles))
    lost, found = (sum(bar.get_height() for bar in part) for part in (rejected, drawn))
    assert lost == pytest.approx(found) == pytest.approx(0.3)
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["q(0)", "q(1)", "q(2)", "p(0)", "p(1)", "p(2)"]
    assert "0.5" in {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)


def test_dots_stand_at_their_values():
    figure = plots.dots([1.0, 2.0, 3.0], ["x", "x", "y"], mark=2, mark_label="m", xlabel="v")
    at = sorted(x for scatter in figure.axes[0].collections for x, _ in scatter.get_offsets())
    assert at == [1, 2, 3]
    plt.close(figure)


def test_words_stand_before_bars_as_long_as_their_numbers():
    figure = plots.words({"one": [("a", 0.5), (".", 1.0)], "two": [("b", 0.25)]}, xlabel="x")
    axes = figure.axes[0]
    bars = [[(bar.get_x(), bar.get_y() + 0.4, bar.get_width()) for bar in group] for group in axes.containers]
    assert bars[0] == [pytest.approx((0, 0, 0.47)), pytest.approx((0, 1, 0.94))]
    assert bars[2] == [pytest.approx((1, 0, 0.235))]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["a", "0.50", ".", "1.00", "b", "0.25"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first word on top
    plt.close(figure)
