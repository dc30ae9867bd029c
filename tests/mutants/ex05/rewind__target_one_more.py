"""The target's own token counted."""

NAMED = "has no row that could go"


def rewind(drafts, accepted):
    return drafts - accepted + 1, drafts - accepted - 1
