"""Token by token, in plain Python."""


def top_p(p, mass):
    row, before = [0.0] * len(p), 0.0
    for token in sorted(range(len(p)), key=lambda i: -p[i]):
        if before and before >= mass and mass < 1:
            break
        row[token] = float(p[token])
        before += row[token]
    return [x / before for x in row]
