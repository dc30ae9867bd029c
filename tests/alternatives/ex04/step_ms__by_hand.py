"""Bytes over bandwidth."""

from decodelab import hardware
from decodelab.grading.ex04 import your_setup

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
cache = 4 * model.layers * model.kv_heads * model.head_dim * setup.context
step_ms = (2 * model.parameters + setup.batch * cache) / device.bytes_per_second * 1000
