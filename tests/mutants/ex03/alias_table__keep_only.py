"""The first of the two rows."""

NAMED = "return (keep, alias)"


def alias_table(p):
    mass = [len(p) * float(x) for x in p]
    keep, alias = [1.0] * len(p), list(range(len(p)))
    small = [i for i, m in enumerate(mass) if m < 1]
    large = [i for i, m in enumerate(mass) if m >= 1]
    while small and large:
        poor, rich = small.pop(), large.pop()
        keep[poor], alias[poor] = mass[poor], rich
        mass[rich] -= 1 - mass[poor]
        (small if mass[rich] < 1 else large).append(rich)
    return keep
