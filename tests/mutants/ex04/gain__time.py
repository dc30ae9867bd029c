"""Time instead of speed."""

from decodelab import hardware, roofline, speculative
from decodelab.grading.ex04 import your_setup

NAMED = "that is the time, not the speed"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
v = roofline.verification_cost(device, model, 4, batch=setup.batch, context=setup.context)
gain = 1 / speculative.speedup(0.8, 4, 0.1, v=v)
