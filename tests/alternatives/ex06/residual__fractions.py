"""In Fractions."""

from fractions import Fraction


def residual(p, q):
    excess = [max(Fraction(float(a)) - Fraction(float(b)), 0) for a, b in zip(p, q, strict=True)]
    return [x / sum(excess) for x in excess] if any(excess) else [Fraction(float(a)) for a in p]
