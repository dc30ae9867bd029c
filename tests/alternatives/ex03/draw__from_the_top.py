"""From the last token down."""


def draw(p, u):
    above, answer = 1.0, None
    for token in range(len(p) - 1, -1, -1):
        if p[token] > 0:
            answer = token
            above -= p[token]
            if u >= above:
                return token
    return answer
