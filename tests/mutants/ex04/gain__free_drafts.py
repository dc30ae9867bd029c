"""Drafts for nothing."""

from decodelab import hardware, roofline, speculative
from decodelab.grading.ex04 import your_setup

NAMED = "you do not pay for the drafts"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
v = roofline.verification_cost(device, model, 4, batch=setup.batch, context=setup.context)
gain = speculative.speedup(0.8, 4, 0.0, v=v)
