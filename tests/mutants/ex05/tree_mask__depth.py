"""All nodes above."""

NAMED = "all nodes of smaller depth"


def tree_mask(parents):
    n = len(parents)
    depth = [0] * n
    for node in range(1, n):
        depth[node] = depth[parents[node]] + 1
    return [[i == j or depth[j] < depth[i] for j in range(n)] for i in range(n)]
