"""The verifying step."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "a plain one feeds one token a text"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
step_ms = 1e3 * roofline.seconds_step(device, model, batch=setup.batch, context=setup.context, new=5)
