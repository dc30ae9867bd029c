"""A tie goes to the lowest id, always."""

NAMED = "is missing: a tie may go to this text too"


def greedy_texts(lm, *, end, max_tokens):
    texts, live = {}, {(): 1.0}
    while live:
        prefix, mass = live.popitem()
        if prefix[-1:] == (end,) or len(prefix) == max_tokens:
            texts[prefix] = mass
            continue
        row = lm.next_probs(prefix)
        for token in [int(row.argmax())]:
            live[(*prefix, token)] = mass * float(row[token])
    return texts
