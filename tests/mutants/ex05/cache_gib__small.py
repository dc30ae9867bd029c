"""A number out of the air."""

NAMED = "too small"

STUDENT = "ada"
cache_gib = 0.001
