"""One text after the other."""

import numpy as np
from decodelab import roofline


def texts_that_fit(model, memory_gb, tokens):
    used, texts = 2 * model.parameters, -1
    while used <= memory_gb * 1e9:
        used += tokens * roofline.bytes_kv_token(model)
        texts += 1
    return np.int64(max(texts, 0))
