"""One pass over the nodes: a child comes after its parent."""


def rows_of_path(tokens, parents, root_row, added):
    at, depth, rows = 0, 0, [*range(root_row + 1)]
    for node in range(1, len(tokens)):
        if depth < len(added) and parents[node] == at and tokens[node] == added[depth]:
            at, depth = node, depth + 1
            rows.append(root_row + node)
    return tuple(rows)
