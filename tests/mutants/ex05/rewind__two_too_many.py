"""Two rows too many (known fault B66)."""

NAMED = "that is two rows too many"


def rewind(drafts, accepted):
    return drafts - accepted, drafts - accepted + 1
