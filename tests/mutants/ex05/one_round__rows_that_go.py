"""How many go."""

NAMED = "that is how many rows go"


def one_round(length, drafts, rejected):
    accepted = drafts if rejected is None else rejected - 1
    return drafts + 1, drafts - accepted, length + accepted + 1
