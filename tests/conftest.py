"""Settings of all tests: one thread a process, no display, reproducible examples."""

import os

# Before numpy, torch or a kernel starts: test processes run side by side.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")

from hypothesis import settings  # noqa: E402

# The same examples at every run, and no time limit an example: cores are shared.
settings.register_profile("book", derandomize=True, deadline=None, database=None)
settings.load_profile("book")
