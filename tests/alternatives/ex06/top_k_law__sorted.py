"""Sorted pairs and a list."""


def top_k_law(p, q, k):
    top = sorted(range(len(p)), key=lambda x: -p[x])[:k]
    passed = sum(q[x] for x in top)
    return [q[x] * (x in top) + (1 - passed) * p[x] for x in range(len(p))]
