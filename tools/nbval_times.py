"""pytest plugin: after an nbval run, print how long each notebook took (`-p nbval_times`)."""

from collections import Counter


def pytest_terminal_summary(terminalreporter):
    """Add up the seconds of all cells, notebook by notebook, slowest first."""
    seconds = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            path = getattr(report, "nodeid", "").split("::")[0]
            if path.endswith(".ipynb"):
                seconds[path] += report.duration
    terminalreporter.section("seconds per notebook")
    for path, total in seconds.most_common():
        terminalreporter.line(f"{total:7.1f} s  {path}")
