"""From the grammar, by hand: .65 pop + .35 home."""

from decodelab.grading.ex01 import your_city

STUDENT = "grace"
CITY, TYPES = your_city(STUDENT)
_POP = "pittsburgh .1385 philadelphia .125 boston .12 chicago .12 seattle .105 austin .09"
_POP += " houston .09 denver .08 miami .07 portland .0615"
_HOME = (0.28, 0.14, 0.12, 0.10, 0.09, 0.07, 0.06, 0.05, 0.05, 0.04)
_k = _POP.split().index(CITY) // 2
mention = 0.65 * float(_POP.split()[2 * _k + 1]) + 0.35 * _HOME[_k]
