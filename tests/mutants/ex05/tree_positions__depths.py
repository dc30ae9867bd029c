"""Depths."""

NAMED = "those are the depths, without the prefix"


def tree_positions(parents, root_position):
    positions = [root_position]
    for parent in parents[1:]:
        positions.append(positions[parent] + 1)
    return [x - root_position for x in positions]
