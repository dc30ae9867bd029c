"""GiB mixed with GB."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "you mix GiB with GB"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
seconds = roofline.seconds_step(device, model, batch=setup.batch, context=setup.context)
step_ms = 1e3 * seconds * 1e9 / 2**30
