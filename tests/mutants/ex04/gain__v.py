"""v itself."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "that is v(4), not the speed-up"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
v = roofline.verification_cost(device, model, 4, batch=setup.batch, context=setup.context)
gain = v
