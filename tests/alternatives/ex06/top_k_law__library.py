"""The two parts of the library's kernel."""

import numpy as np
from decodelab import rules


def top_k_law(p, q, k):
    stay, leave, _ = rules.top_k_kernel(p, q, np.ones(1), k=k)
    return stay + leave
