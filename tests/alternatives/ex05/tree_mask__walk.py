"""From each node up to the root, in 0 and 1."""


def tree_mask(parents):
    n = len(parents)
    mask = [[0] * n for _ in range(n)]
    for node in range(n):
        at = node
        while at >= 0:
            mask[node][at] = 1
            at = parents[at]
    return tuple(map(tuple, mask))
