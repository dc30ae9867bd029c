"""One number."""

NAMED = "return (target, draft)"


def rewind(drafts, accepted):
    return drafts - accepted
