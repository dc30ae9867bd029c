"""Without the root."""

NAMED = "return a list of 5 numbers"


def tree_positions(parents, root_position):
    positions = [root_position]
    for parent in parents[1:]:
        positions.append(positions[parent] + 1)
    return positions[1:]
