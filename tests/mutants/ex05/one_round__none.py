"""None is not expected."""

NAMED = "and rejected = None your function raises TypeError"


def one_round(length, drafts, rejected):
    return drafts + 1, length + rejected - 1, length + rejected
