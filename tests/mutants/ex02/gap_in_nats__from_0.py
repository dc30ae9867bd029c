"""Measured from 0."""

NAMED = "that is measured from 0"


def gap_in_nats(factor, best):
    return -factor * best
