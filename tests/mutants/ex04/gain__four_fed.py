"""The pending token is not fed."""

from decodelab import hardware, roofline, speculative
from decodelab.grading.ex04 import your_setup

NAMED = "are five tokens to feed"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
v = roofline.verification_cost(device, model, 3, batch=setup.batch, context=setup.context)
gain = speculative.speedup(0.8, 4, 0.1, v=v)
