"""The target adds nothing."""

NAMED = "length: you give 12: the target adds a token of its own"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts + 1, length + accepted, length + accepted
