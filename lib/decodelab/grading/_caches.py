"""Checks of set 05 about rows: keeping some of a list, a tree's masks and paths."""

from __future__ import annotations

from collections.abc import Callable

from decodelab.grading._cases import same_answers
from decodelab.grading._checks import as_number, call, fail, must_raise, need_function, plain, short
from decodelab.tree import Tree

__all__ = ["keep", "rows_of_path", "tree_mask", "tree_positions"]


# --- 4: keeping rows of a list -----------------------------------------------------------------------

_HELD = ("A", "B", "C", "D", "E", "F", "G")
_KEPT = (
    (0, 1, 2, 3, 4),
    (0, 1, 2, 4, 6),
    (0, 1, 3),
    (1, 2),
    (),
    (0, 1, 2, 3, 4, 5, 6),
    range(3),
)
_REFUSED = (
    ((0, 1, 7), "row 7 is not held"),
    ((0, -1), "row -1 is not held"),
    ((-2, 1), "row -2 is not held"),
    ((0, 2, 1), "the rows do not increase"),
    ((0, 1, 1), "row 1 is named twice"),
)


def keep(answer) -> str:
    """The same list object holds the named rows; anything else is refused and changes nothing."""
    need_function(answer, "keep")
    for rows in _KEPT:
        _one_keep(answer, rows if isinstance(rows, range) else list(rows))
    for rows, why in _REFUSED:
        about, cache = f"for 7 rows and rows = {list(rows)}, where {why},", list(_HELD)
        must_raise(answer, cache, list(rows), kind=ValueError, about=about, credit=0.5)
        if cache != list(_HELD):
            fail(f"{about} your function refuses, but has changed the cache to {short(cache)}", 0.5)
    return f"the rows agree in {len(_KEPT)} cases, and {len(_REFUSED)} are refused"


def _one_keep(answer: Callable, rows) -> None:
    about, cache, named = f"for rows = {short(rows)}", list(_HELD), list(rows)
    value = call(answer, cache, rows, about=about)
    right = [_HELD[row] for row in named]
    if list(rows) != named:
        fail(f"{about} your function writes into rows: work on a copy", 0.5)
    if cache == right:
        return
    if cache == list(_HELD) and isinstance(value, list | tuple) and list(value) == right:
        fail(f"{about} you return a new list: the model reads the old one, which still has 7 rows", 0.5)
    if cache == [_HELD[row] for row in range(len(_HELD)) if row not in named]:
        fail(f"{about} the cache is {short(cache)}: those are the rows to drop")
    if cache == list(_HELD[: len(named)]):
        fail(f"{about} the cache is {short(cache)}: it is cut to {len(named)} rows, but others are wanted")
    fail(f"{about} the cache is {short(cache)}, right is {short(right)}")


# --- 5: trees ------------------------------------------------------------------------------------------

_PARENTS = (
    (-1, 0, 0, 1, 2),
    (-1, 0, 1, 2),
    (-1,),
    (-1, 0, 0, 0),
    (-1, 0, 1, 1, 0, 2, 4, 6),
)


def _tree(parents) -> Tree:
    return Tree((0,) * len(parents), parents)


def tree_mask(answer) -> str:
    """Row i sees i and its ancestors."""
    need_function(answer, "tree_mask")
    abouts = [f"for parents = {list(parents)}" for parents in _PARENTS]
    masks = [_read_mask(answer, p, about) for p, about in zip(_PARENTS, abouts, strict=True)]
    slips = {clause: [f(p) for p in _PARENTS] for clause, f in _MASK_SLIPS.items()}
    right = [_grid(p, lambda i, j, t: t.mask[i, j]) for p in _PARENTS]
    same_answers(
        masks,
        right,
        abouts,
        slips,
        equal=list.__eq__,
        write=_bits,
        explain=lambda mask, due: f"right is {_bits(due)}",
    )
    return f"the mask agrees for {len(_PARENTS)} trees"


def _read_mask(answer, parents, about: str) -> list[list[int]]:
    named, n = list(parents), len(parents)
    value = plain(call(answer, named, about=about))
    if named != list(parents):
        fail(f"{about} your function writes into parents: work on a copy", 0.5)
    rows = value if isinstance(value, list) else []
    if len(rows) != n or any(not isinstance(row, list) or len(row) != n for row in rows):
        fail(f"{about} you return {short(value)}: return {n} rows of {n} entries")
    entries = [[as_number(x, f"{about} each entry") for x in row] for row in rows]
    if any(x not in (0, 1) for row in entries for x in row):
        fail(f"{about} each entry must be True or False, 1 or 0: you return {short(value)}")
    return [[int(x) for x in row] for row in entries]


def _grid(parents, sees) -> list[list[int]]:
    tree, nodes = _tree(parents), range(len(parents))
    return [[int(sees(i, j, tree)) for j in nodes] for i in nodes]


_MASK_SLIPS = {
    "you let a node see all nodes before it, also those on other branches": lambda p: _grid(
        p, lambda i, j, t: j <= i
    ),
    "you let a node see its parent, but not the ancestors above it": lambda p: _grid(
        p, lambda i, j, t: j in (i, p[i])
    ),
    "you do not let a node see itself": lambda p: _grid(p, lambda i, j, t: t.mask[i, j] and i != j),
    "your mask is transposed, you let a node see its descendants": lambda p: _grid(
        p, lambda i, j, t: t.mask[j, i]
    ),
    "you let a node see its siblings": lambda p: _grid(p, lambda i, j, t: t.mask[i, j] or p[i] == p[j]),
    "you let a node see all nodes of smaller depth, not only its ancestors": lambda p: _grid(
        p, lambda i, j, t: i == j or t.depths[j] < t.depths[i]
    ),
    "the root is an ancestor of every node": lambda p: _grid(
        p, lambda i, j, t: t.mask[i, j] and (j > 0 or i == 0)
    ),
}


def _bits(mask) -> str:
    return "/".join("".join(str(x) for x in row) for row in mask)


def tree_positions(answer) -> str:
    """The root's position plus the depth of each node."""
    need_function(answer, "tree_positions")
    cases = [(parents, root) for parents in _PARENTS for root in (10, 0)]
    abouts = [f"for parents = {list(p)} and root_position = {r}" for p, r in cases]
    values = [ids(answer, [list(p), r], len(p), about) for (p, r), about in zip(cases, abouts, strict=True)]
    right = [[int(x) for x in _tree(p).positions(r)] for p, r in cases]
    slips = {
        "siblings stand at the same position: count depth, not nodes": [
            [r + i for i in range(len(p))] for p, r in cases
        ],
        "the root itself stands at root_position": [[x + 1 for x in row] for row in right],
        "that is one too little everywhere": [[x - 1 for x in row] for row in right],
        "those are the depths, without the prefix": [
            [x - r for x in row] for row, (_, r) in zip(right, cases, strict=True)
        ],
        "that takes the parent's number, not the parent's position": [
            [r, *(r + 1 + parent for parent in p[1:])] for p, r in cases
        ],
    }
    same_answers(
        values, right, abouts, slips, equal=list.__eq__, write=short, explain=lambda v, due: f"right is {due}"
    )
    return f"the positions agree for {len(_PARENTS)} trees"


def ids(answer, arguments, size: int | None, about: str) -> list[int]:
    """A list of whole numbers, of this size; what is given stays as it is."""
    before = [list(x) if isinstance(x, list) else x for x in arguments]
    value = call(answer, *arguments, about=about)
    value = plain(list(value) if isinstance(value, range) else value)
    if arguments != before:
        fail(f"{about} your function writes into its argument: work on a copy", 0.5)
    if not isinstance(value, list) or size is not None and len(value) != size:
        fail(f"{about} you return {short(value)}: return a list{f' of {size} numbers' if size else ''}")
    numbers = [as_number(x, f"{about} each entry") for x in value]
    if not all(x.is_integer() for x in numbers):
        fail(f"{about} each entry must be a whole number: you return {short(value)}")
    return [int(x) for x in numbers]


# --- 6: the rows of a path --------------------------------------------------------------------------------

# Tokens, parents, the root's row, and the tokens that the round added (the last one is the target's own).
_PATHS = (
    ((3, 5, 7, 8, 2), (-1, 0, 0, 2, 2), 4, (7, 2, 9)),
    ((3, 5, 7, 8, 2), (-1, 0, 0, 2, 2), 4, (9,)),
    ((3, 5, 7, 8, 2), (-1, 0, 0, 2, 2), 0, (5, 8)),
    ((1, 6, 6, 4), (-1, 0, 0, 1), 9, (6, 4, 1)),
    ((1, 6, 6, 4), (-1, 0, 0, 1), 9, (6, 5)),
    ((2, 4, 4, 4), (-1, 0, 1, 2), 2, (4, 4, 4, 1)),
    ((2, 4, 5, 4), (-1, 0, 1, 2), 2, (4, 4)),
)


def rows_of_path(answer) -> str:
    """The prefix's rows, the root's, and those of the accepted nodes."""
    need_function(answer, "rows_of_path")
    abouts = [
        f"for tokens = {list(t)}, parents = {list(p)}, root_row = {r} and added = {list(a)}"
        for t, p, r, a in _PATHS
    ]
    values = [
        ids(answer, [list(t), list(p), r, list(a)], None, about)
        for (t, p, r, a), about in zip(_PATHS, abouts, strict=True)
    ]
    right = [[*range(r + 1), *(r + n for n in _walk(t, p, a))] for t, p, r, a in _PATHS]
    slips = {clause: [f(*case) for case in _PATHS] for clause, f in _PATH_SLIPS.items()}
    same_answers(
        values, right, abouts, slips, equal=list.__eq__, write=short, explain=lambda v, due: f"right is {due}"
    )
    return f"the rows agree in {len(_PATHS)} cases"


def _walk(tokens, parents, added, which: int = 0) -> list[int]:
    nodes, at = [], 0
    for token in added:
        found = [i for i, parent in enumerate(parents) if parent == at and tokens[i] == token]
        if not found:
            break
        at = found[which]
        nodes.append(at)
    return nodes


def _anywhere(tokens, added) -> list[int]:
    """Nodes with these tokens, whatever their parents: each the first one behind the last."""
    nodes = [0]
    for token in added:
        node = next((i for i in range(nodes[-1] + 1, len(tokens)) if tokens[i] == token), None)
        if node is None:
            break
        nodes.append(node)
    return nodes[1:]


_PATH_SLIPS = {
    "of equal siblings the first counts": lambda t, p, r, a: [
        *range(r + 1),
        *(r + n for n in _walk(t, p, a, -1)),
    ],
    "you keep rows beside the path, only their number is right": lambda t, p, r, a: list(
        range(r + 1 + len(_walk(t, p, a)))
    ),
    "those are nodes of the tree: node i has row root_row + i": lambda t, p, r, a: [
        *range(r + 1),
        *_walk(t, p, a),
    ],
    "node i has row root_row + i, the root included": lambda t, p, r, a: [
        *range(r + 1),
        *(r + n + 1 for n in _walk(t, p, a)),
    ],
    "the rows of the prefix and the root are kept too": lambda t, p, r, a: [r + n for n in _walk(t, p, a)],
    "the root's row is kept too": lambda t, p, r, a: [*range(r), *(r + n for n in _walk(t, p, a))],
    "a path goes from parent to child, tokens elsewhere do not count": lambda t, p, r, a: [
        *range(r + 1),
        *(r + n for n in _anywhere(t, a)),
    ],
    "the accepted nodes are kept too": lambda t, p, r, a: list(range(r + 1)),
}
