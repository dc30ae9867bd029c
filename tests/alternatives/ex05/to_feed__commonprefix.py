"""The standard library's common prefix."""

from os.path import commonprefix


def to_feed(held, wanted):
    kept = len(commonprefix([tuple(held), tuple(wanted[:-1])]))
    return [kept, tuple(wanted[kept:])]
