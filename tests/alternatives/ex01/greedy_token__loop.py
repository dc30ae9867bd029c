"""A loop over a list."""


def greedy_token(logits):
    best = 0
    for token, logit in enumerate(logits):
        if logit != logit:
            raise ValueError(f"logits[{token}] is NaN")
        if logit > logits[best]:
            best = token
    return best
