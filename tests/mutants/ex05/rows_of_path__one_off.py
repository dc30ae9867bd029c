"""The root counted twice."""

NAMED = "the root included"


def rows_of_path(tokens, parents, root_row, added):
    rows, at = list(range(root_row + 1)), 0
    for token in added:
        fitting = [i for i in range(len(tokens)) if parents[i] == at and tokens[i] == token]
        if not fitting:
            break
        at = fitting[0]
        rows.append(root_row + at + 1)
    return rows
