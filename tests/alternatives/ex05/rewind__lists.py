"""Two lists of tokens."""


def rewind(drafts, accepted):
    read = ["pending", *range(drafts)]
    target, draft = len(read), len(read[:drafts])
    text = ["pending", *range(accepted), "own"]
    return [target - len(text[:-1]), draft - len(text[:-1])]
