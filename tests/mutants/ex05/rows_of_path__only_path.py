"""The path alone."""

NAMED = "the rows of the prefix and the root are kept too"


def rows_of_path(tokens, parents, root_row, added):
    rows, at = [], 0
    for token in added:
        fitting = [i for i in range(len(tokens)) if parents[i] == at and tokens[i] == token]
        if not fitting:
            break
        at = fitting[0]
        rows.append(root_row + at)
    return rows
