"""One row too few."""

NAMED = "its row stays"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts + 1, length - 1 + accepted, length + accepted + 1
