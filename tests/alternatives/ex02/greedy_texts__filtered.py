"""All texts of the model are made; those with another token in them are thrown out."""


def greedy_texts(lm, *, end, max_tokens):
    found = {(): 1.0}
    for _ in range(max_tokens):
        longer = {}
        for text, mass in found.items():
            if text[-1:] == (end,):
                longer[text] = mass
                continue
            row = lm.next_probs(text).tolist()
            longer |= {(*text, i): mass * row[i] for i in range(len(row)) if row[i] == max(row)}
        found = longer
    return found
