"""A number out of the air."""

NAMED = "too large"

STUDENT = "ada"
step_ms = 1000.0
