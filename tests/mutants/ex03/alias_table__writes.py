"""Works in the row it was given."""

NAMED = "writes into its argument"


def alias_table(p):
    p *= len(p)
    mass = p
    keep, alias = [1.0] * len(p), list(range(len(p)))
    small = [i for i, m in enumerate(mass) if m < 1]
    large = [i for i, m in enumerate(mass) if m >= 1]
    while small and large:
        poor, rich = small.pop(), large.pop()
        keep[poor], alias[poor] = mass[poor], rich
        mass[rich] -= 1 - mass[poor]
        (small if mass[rich] < 1 else large).append(rich)
    return keep, alias
