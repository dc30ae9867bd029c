"""The target's own token forgotten."""

from decodelab import hardware, roofline
from decodelab.grading.ex04 import your_setup

NAMED = "that leaves out the token that the target adds"

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
v = roofline.verification_cost(device, model, 4, batch=setup.batch, context=setup.context)
gain = sum(0.8**i for i in range(1, 5)) / (0.4 + v)
