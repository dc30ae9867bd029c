"""In seconds."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "that is in seconds"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
seconds = roofline.seconds_step(device, model, batch=setup.batch, context=setup.context)
step_ms = seconds
