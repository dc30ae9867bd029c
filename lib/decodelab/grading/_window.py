"""The check of set 05 about a cache that forgets: the rows of its window after a rollback."""

from __future__ import annotations

from decodelab.grading._caches import ids
from decodelab.grading._cases import same_answers
from decodelab.grading._checks import must_raise, need_function, short

__all__ = ["take_back"]

_WINDOWS = (
    (20, 8, 3, 1),
    (20, 8, 3, 3),
    (20, 8, 0, 0),
    (12, 8, 2, 2),
    (9, 8, 3, 5),
    (11, 8, 3, 11),
    (6, 8, 0, 4),
    (5, 8, 0, 5),
)
_TOO_FAR = (
    ((20, 8, 3, 4), "row 8 is gone"),
    ((9, 8, 0, 1), "row 0 is gone"),
    ((30, 4, 2, 20), "rows 6 to 9 are gone"),
    ((30, 4, 2, 28), "rows 0 and 1 are gone"),
    ((5, 8, 0, 6), "only 5 rows were ever held"),
)


def take_back(answer) -> str:
    """The rows of the window after a rollback, or a refusal."""
    need_function(answer, "take_back")
    abouts = [_window_about(case) for case in _WINDOWS]
    values = [ids(answer, list(c), None, about) for c, about in zip(_WINDOWS, abouts, strict=True)]
    right = [list(range(max(0, n - b - w), n - b)) for n, w, s, b in _WINDOWS]
    slips = {
        "no row is below 0": [list(range(n - b - w, n - b)) for n, w, s, b in _WINDOWS],
        "the window holds `window` rows, the slack is not read": [
            list(range(max(0, n - b - w - s), n - b)) for n, w, s, b in _WINDOWS
        ],
        "that is the window before the rows are taken back": [
            list(range(max(0, n - w), n)) for n, w, s, b in _WINDOWS
        ],
        "those are only the rows that were in sight before": [
            list(range(max(0, n - w), n - b)) for n, w, s, b in _WINDOWS
        ],
        "the window holds the last `window` rows, one more than these": [
            list(range(max(0, n - b - w + 1), n - b)) for n, w, s, b in _WINDOWS
        ],
    }
    same_answers(
        values, right, abouts, slips, equal=list.__eq__, write=short, explain=lambda v, due: f"right is {due}"
    )
    for case, why in _TOO_FAR:
        must_raise(answer, *case, kind=ValueError, about=f"{_window_about(case)}, where {why},", credit=0.5)
    return f"the window agrees in {len(_WINDOWS)} cases, and {len(_TOO_FAR)} rollbacks are refused"


def _window_about(case) -> str:
    return "for length = {}, window = {}, slack = {} and back = {}".format(*case)
