"""An unsorted list of open prefixes; numpy; returns lists."""

import numpy as np


def best_first(lm, *, end, max_tokens):
    texts, scores = [[]], [0.0]
    while True:
        i = int(np.argmax(scores))
        text, score = texts.pop(i), scores.pop(i)
        if end in text:
            return text, np.float64(score)
        if len(text) < max_tokens:
            logs = np.log(lm.next_probs(text))
            texts += [[*text, token] for token in range(len(logs))]
            scores += (score + logs).tolist()
