"""Only what counts is fed."""

NAMED = "nobody knows them yet"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return accepted + 1, length + accepted, length + accepted + 1
