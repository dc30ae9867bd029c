"""The root's row goes."""

NAMED = "the root's row is kept too"


def rows_of_path(tokens, parents, root_row, added):
    rows, at = list(range(root_row)), 0
    for token in added:
        fitting = [i for i in range(len(tokens)) if parents[i] == at and tokens[i] == token]
        if not fitting:
            break
        at = fitting[0]
        rows.append(root_row + at)
    return rows
