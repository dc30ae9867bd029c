"""No row is lacking."""

NAMED = "which is -1 and not 0"


def rewind(drafts, accepted):
    return drafts - accepted, max(0, drafts - accepted - 1)
