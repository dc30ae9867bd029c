"""Of a box that is right."""

from decodelab.grading.ex06 import your_boxes

NAMED = "samples is infinite: that is for a right box"

STUDENT = "ada"
boxes = your_boxes(STUDENT)
samples = float("inf")
