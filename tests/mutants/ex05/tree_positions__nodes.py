"""The node's number (known fault B73)."""

NAMED = "you give [10, 11, 12, 13, 14]: siblings stand at the same position"


def tree_positions(parents, root_position):
    return [root_position + node for node in range(len(parents))]
