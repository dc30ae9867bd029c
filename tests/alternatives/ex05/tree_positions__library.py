"""The library's tree."""

from decodelab.tree import Tree


def tree_positions(parents, root_position):
    return Tree([0] * len(parents), parents).positions(root_position)
