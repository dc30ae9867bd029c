"""Steps up to the root."""


def tree_positions(parents, root_position):
    def depth(node):
        return 0 if node == 0 else 1 + depth(parents[node])

    return tuple(float(root_position + depth(node)) for node in range(len(parents)))
