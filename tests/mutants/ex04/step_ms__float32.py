"""Weights of 4 bytes."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "weights of 2 bytes are read"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
seconds = roofline.seconds_step(device, model, "float32", batch=setup.batch, context=setup.context)
step_ms = 1e3 * seconds
