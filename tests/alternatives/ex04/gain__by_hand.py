"""Operations and bytes by hand, in float32."""

import numpy as np
from decodelab import hardware
from decodelab.grading.ex04 import your_setup

STUDENT = "ada"
setup = your_setup(STUDENT)
device, model = hardware.DEVICES[setup.device], hardware.MODELS[setup.model]
cache = 4 * model.layers * model.kv_heads * model.head_dim * setup.context
plain = (2 * model.parameters + setup.batch * cache) / device.bytes_per_second
heads = 4 * model.layers * model.heads * model.head_dim
work = 5 * setup.batch * (2 * model.active + heads * (setup.context + 2.5))
verify = max(plain, work / device.flops_per_second["bfloat16"])
gain = np.float32((1 - 0.8**5) / 0.2 / (0.4 + verify / plain))
