"""Rules that are wrong, each about as short as the right one, for chains (one of them for siblings).

In a chain node i holds the i-th draft, `p[i - 1]` judges it, and `draft.q[i]` is the row it was drawn
from. The right rule is `rules.rejection`; the comment in each function marks where it departs.
**Law:** none of these keeps the target's law, but for those whose docstring says so.
"""

from __future__ import annotations

import numpy as np

from decodelab.dists import left_over, softmax


def draws_from_the_target_again(p, draft, *, rng):
    """A rejected token is replaced by a draw from the target, not from the residual."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            return tuple(range(1, i)), rng.categorical(row)  # the whole row
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def accepts_everything(p, draft, *, rng):
    """The test is left out: drafts are emitted as they come."""
    return tuple(range(1, len(p))), rng.categorical(p[-1])  # no test at all


def accepts_what_is_likelier(p, draft, *, rng):
    """A draft is kept if the target gives it at least the draft's probability, and never otherwise."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if row[x] < q[x]:  # a threshold in place of a coin
            return tuple(range(1, i)), rng.categorical(row)
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def ratio_upside_down(p, draft, *, rng):
    """Target and draft changed places in the ratio and in the residual."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, q[x] / row[x]) if row[x] else 1):  # q/p
            return tuple(range(1, i)), rng.categorical(left_over(q, row))
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def counts_all_acceptances(p, draft, *, rng):
    """Every draft is tested, and as many are kept as passed: also those after the first rejection."""
    tests = []
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        tests.append(rng.bernoulli(min(1, p[i - 1][x] / draft.q[i][x])))
    kept = sum(tests)  # should stop counting at the first False
    all_kept = kept == len(tests)
    row = p[kept] if all_kept else left_over(p[kept], draft.q[kept + 1])
    return tuple(range(1, kept + 1)), rng.categorical(row)


def one_uniform_for_all(p, draft, *, rng):
    """One uniform decides about every draft of the round."""
    u = rng.uniform()  # belongs inside the loop
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not u * q[x] < row[x]:
            return tuple(range(1, i)), rng.categorical(left_over(row, q))
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def residual_of_the_first_position(p, draft, *, rng):
    """Whichever draft is rejected, the residual is that of the first."""
    left = left_over(p[0], draft.q[min(1, len(p) - 1)])  # belongs inside the loop
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            return tuple(range(1, i)), rng.categorical(left)
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def softmax_of_the_residual(p, draft, *, rng):
    """The positive part of p - q is turned into a row by a softmax, where it should be divided by its sum."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            left = np.maximum(row - q, 0 * row).astype(float)
            return tuple(range(1, i)), rng.categorical(softmax(left))  # e^0 is 1
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def bonus_from_the_row_before(p, draft, *, rng):
    """After a full acceptance the extra token comes from the row that judged the last draft."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            return tuple(range(1, i)), rng.categorical(left_over(row, q))
    bonus = p[max(len(p) - 2, 0)]  # one row early
    return tuple(range(1, len(p))), rng.categorical(bonus)


def likeliest_token_first(p, draft, *, rng):
    """The first token of a round is the target's likeliest, unconditionally; the rest is verified."""
    first = int(np.argmax(p[0]))  # a choice where a draw is due
    if len(p) == 1 or draft.tree.tokens[1] != first:
        return (), first
    for i, x in enumerate(draft.tree.tokens[2:], start=2):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            return tuple(range(1, i)), rng.categorical(left_over(row, q))
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def block_with_the_tokens_residual(p, draft, *, rng):
    """Block verification, which decides from the last draft backwards, with the residual of `rejection`."""
    x, q, a = draft.tree.tokens, draft.q, [1]
    for i in range(1, len(p)):
        a.append(min(1, a[-1] * p[i - 1][x[i]] / q[i][x[i]]))
    if rng.bernoulli(a[-1]):
        return tuple(range(1, len(p))), rng.categorical(p[-1])
    for i in range(len(p) - 2, 0, -1):
        S = np.maximum(a[i] * p[i] - q[i + 1], 0 * p[i]).sum()
        if rng.bernoulli(S / (S + (1 - a[i])) if S + (1 - a[i]) else 1):
            left = left_over(p[i], q[i + 1])  # should be left_over(a[i] * p[i], ...)
            return tuple(range(1, i + 1)), rng.categorical(left)
    return (), rng.categorical(left_over(p[0], q[1]))


def siblings_against_one_row(p, draft, *, rng):
    """Several drafts for one place are each tested against the target's whole row."""
    path, node, x, q = [], 0, draft.tree.tokens, draft.q
    while children := draft.tree.children(node):
        row = p[node]  # it should lose what earlier siblings took from it
        kept = [c for c in children if rng.bernoulli(min(1, row[x[c]] / q[c][x[c]]))]
        if not kept:
            left = left_over(row, q[children[-1]])
            return tuple(path), rng.categorical(left)
        node = kept[0]
        path.append(node)
    return tuple(path), rng.categorical(p[node])


def no_bonus_token(p, draft, *, rng):
    """After a full acceptance the round ends with the last draft. **Law:** exact; a token a round is lost."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            return tuple(range(1, i)), rng.categorical(left_over(row, q))
    if len(p) == 1:
        return (), rng.categorical(p[0])
    return tuple(range(1, len(p) - 1)), draft.tree.tokens[-1]  # p[-1] is unused


def accepts_at_equality(p, draft, *, rng):
    """The test is u q <= p, so that u = 0 keeps an impossible token. **Law:** exact but for that one u."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.uniform() * q[x] <= row[x]:  # should be <
            return tuple(range(1, i)), rng.categorical(left_over(row, q))
    return tuple(range(1, len(p))), rng.categorical(p[-1])


def uniform_where_nothing_is_left(p, draft, *, rng):
    """An empty residual (p = q, up to rounding) becomes the uniform row. **Law:** exact but for rounding."""
    for i, x in enumerate(draft.tree.tokens[1:], start=1):
        row, q = p[i - 1], draft.q[i]
        if not rng.bernoulli(min(1, row[x] / q[x])):
            left = np.maximum(row - q, 0 * row)
            uniform = np.full(len(row), 1 / len(row))  # should be p
            left = left / left.sum() if left.sum() > 0 else uniform
            return tuple(range(1, i)), rng.categorical(left)
    return tuple(range(1, len(p))), rng.categorical(p[-1])
