"""Nothing goes."""

NAMED = "the rows of rejected drafts must go"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts + 1, length + drafts, length + accepted + 1
