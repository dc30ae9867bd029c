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
        "rows": lambda: plots.rows(ROWS, target="target", wrong=["ours"]),
        "curves": lambda: plots.curves(
            [1, 2, 4], {"a": [1, 2, 3], "b": [3, 2, 1]}, xlabel="x", ylabel="y", log="x"
        ),
        "beams": lambda: plots.beams(
            [[Hypothesis((1,), -0.5, False)], [Hypothesis((1, 0), -1.0, True)]], str
        ),
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


def test_dots_stand_at_their_values():
    figure = plots.dots([1.0, 2.0, 3.0], ["x", "x", "y"], mark=2, mark_label="m", xlabel="v")
    at = sorted(x for scatter in figure.axes[0].collections for x, _ in scatter.get_offsets())
    assert at == [1, 2, 3]
    plt.close(figure)
