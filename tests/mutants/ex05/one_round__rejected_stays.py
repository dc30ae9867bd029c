"""The rejected draft's row stays."""

NAMED = "the rejected draft's row goes too"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts + 1, length + (drafts if rejected is None else rejected), length + accepted + 1
