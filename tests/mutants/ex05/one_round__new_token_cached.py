"""The target's own token gets a row."""

NAMED = "rows: you give 13: the token that the target adds has not been fed"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts + 1, length + accepted + 1, length + accepted + 1
