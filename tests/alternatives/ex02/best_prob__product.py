"""Every text is looked at."""

from itertools import product

from decodelab.grading.ex02 import your_model

STUDENT = "grace"
_lm, best_prob = your_model(STUDENT), 0.0
for _n in range(4):
    for _words in product((1, 2), repeat=_n):
        _mass = 1.0
        for _t, _token in enumerate((*_words, 0)):
            _mass *= _lm.next_probs(_words[:_t])[_token]
        best_prob = max(best_prob, _mass)
