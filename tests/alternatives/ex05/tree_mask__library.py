"""The library's tree."""

from decodelab.tree import Tree


def tree_mask(parents):
    return Tree([0] * len(parents), parents).mask
