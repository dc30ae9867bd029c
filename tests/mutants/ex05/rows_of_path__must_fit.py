"""The last token must be a node too."""

NAMED = "your function raises StopIteration"


def rows_of_path(tokens, parents, root_row, added):
    rows, at = list(range(root_row + 1)), 0
    for token in added:
        at = next(i for i in range(len(tokens)) if parents[i] == at and tokens[i] == token)
        rows.append(root_row + at)
    return rows
