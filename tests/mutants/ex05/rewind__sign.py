"""The other sign."""

NAMED = "the sign is wrong"


def rewind(drafts, accepted):
    return drafts - accepted, accepted + 1 - drafts
