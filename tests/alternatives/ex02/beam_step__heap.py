"""A heap of fixed size, scores from torch."""

import heapq

import torch


def beam_step(lm, hypotheses, width, *, end):
    def candidates():
        for tokens, score in hypotheses:
            if tokens and tokens[-1] == end:
                yield -score, tokens
                continue
            logs = torch.tensor(lm.next_probs(tokens)).log()
            for token in torch.nonzero(torch.isfinite(logs))[:, 0]:
                yield -(score + logs[token].item()), (*tokens, int(token))

    return [(tokens, -cost) for cost, tokens in heapq.nsmallest(width, candidates())]
