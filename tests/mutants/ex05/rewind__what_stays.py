"""What stays."""

NAMED = "that is what stays"


def rewind(drafts, accepted):
    return accepted, drafts - accepted - 1
