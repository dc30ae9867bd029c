"""The draft model's number for both."""

NAMED = "target: you give 3: the target has read all drafts"


def rewind(drafts, accepted):
    return drafts - accepted - 1, drafts - accepted - 1
