"""The same for both."""

NAMED = "the draft model has not read its last draft"


def rewind(drafts, accepted):
    return drafts - accepted, drafts - accepted
