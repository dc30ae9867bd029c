"""One too much."""

NAMED = "the root itself stands at root_position"


def tree_positions(parents, root_position):
    positions = [root_position]
    for parent in parents[1:]:
        positions.append(positions[parent] + 1)
    return [x + 1 for x in positions]
