"""The whole text is read again."""

NAMED = "only its last token is fed"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return length + drafts, length + accepted, length + accepted + 1
