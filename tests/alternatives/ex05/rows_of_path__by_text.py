"""Every node's text compared with the start of what was added."""

import numpy as np
from decodelab.tree import Tree


def rows_of_path(tokens, parents, root_row, added):
    tree = Tree(tokens, parents)
    first = {}
    for node in range(len(tokens)):
        first.setdefault(tree.path_tokens(node), node)
    longest = max(n for n in range(len(added) + 1) if tuple(added[:n]) in first)
    path = [first[tuple(added[:n])] for n in range(1, longest + 1)]
    return np.array([*range(root_row + 1), *(root_row + node for node in path)])
