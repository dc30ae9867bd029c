"""Everything again."""

NAMED = "you read again rows that are right already"


def to_feed(held, wanted):
    return 0, wanted
