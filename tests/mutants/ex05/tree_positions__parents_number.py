"""The parent's number."""

NAMED = "not the parent's position"


def tree_positions(parents, root_position):
    return [root_position, *(root_position + parent + 1 for parent in parents[1:])]
