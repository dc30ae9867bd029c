"""Nothing of the tree."""

NAMED = "the accepted nodes are kept too"


def rows_of_path(tokens, parents, root_row, added):
    return list(range(root_row + 1))
