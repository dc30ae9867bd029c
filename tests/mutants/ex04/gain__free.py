"""Free verification."""

from decodelab import speculative

NAMED = "that takes verifying to be free"

STUDENT = "ada"
gain = speculative.speedup(0.8, 4, 0.1)
