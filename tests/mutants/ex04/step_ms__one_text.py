"""One text."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "you read the cache of one text alone"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
step_ms = 1e3 * roofline.seconds_step(device, model, context=setup.context)
