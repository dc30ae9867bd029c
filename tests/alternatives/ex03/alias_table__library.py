"""The library's."""

from decodelab import sampling


def alias_table(p):
    table = sampling.alias_table(p)
    return table.keep, table.alias
