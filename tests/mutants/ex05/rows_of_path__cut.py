"""Cut to the right number."""

NAMED = "only their number is right"


def rows_of_path(tokens, parents, root_row, added):
    rows, at = list(range(root_row + 1)), 0
    for token in added:
        fitting = [i for i in range(len(tokens)) if parents[i] == at and tokens[i] == token]
        if not fitting:
            break
        at = fitting[0]
        rows.append(root_row + at)
    return list(range(len(rows)))
