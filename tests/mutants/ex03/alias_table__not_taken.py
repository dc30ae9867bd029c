"""What a rich token gives away is not taken from it."""

NAMED = "your table gives token"


def alias_table(p):
    mass = [len(p) * float(x) for x in p]
    keep, alias = [1.0] * len(p), list(range(len(p)))
    small = [i for i, m in enumerate(mass) if m < 1]
    large = [i for i, m in enumerate(mass) if m >= 1]
    while small and large:
        poor, rich = small.pop(), large.pop()
        keep[poor], alias[poor] = mass[poor], rich
        mass[rich] -= 0
        if mass[rich] >= 1 and small:
            large.append(rich)
    return keep, alias
