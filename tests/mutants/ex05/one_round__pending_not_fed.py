"""The pending token is taken to be cached."""

NAMED = "fed: you give 5: the text's last token has no row yet"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts, length + accepted, length + accepted + 1
