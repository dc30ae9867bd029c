"""A live figure in a reopened, trusted notebook in JupyterLab. Skipped where JupyterLab is not installed."""

import os
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from decodelab import explorers

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (it is no dependency of the book)")
TOKEN = "figures"
QUIET = [
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
]  # nothing asks the network


def write_notebook(folder):
    """Write a notebook with the figure as an output, and sign it."""
    figure = explorers.samples()
    data = {"text/html": figure._repr_html_(), "text/plain": repr(figure)}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    cell = nbformat.v4.new_code_cell("explorers.samples()", outputs=[output], execution_count=1)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "figure.ipynb")


def wait_until_up(address):
    for _ in range(120):
        try:
            return urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=1).close()
        except OSError:
            time.sleep(0.5)
    pytest.fail("JupyterLab did not start within a minute")


@pytest.fixture
def lab(tmp_path, unused_port):
    """A JupyterLab over a folder with the notebook, with settings of its own."""
    write_notebook(tmp_path)
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    environment = os.environ | {name: str(tmp_path / name.lower()) for name in names}
    run = [sys.executable, "-m"]
    subprocess.run([*run, "jupyter", "trust", "figure.ipynb"], cwd=tmp_path, env=environment, check=True)
    command = [*run, "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    command += [f"--port={unused_port}", f"--IdentityProvider.token={TOKEN}", *QUIET]
    log = (tmp_path / "lab.log").open("w")
    server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{unused_port}"
    wait_until_up(address)
    yield address
    server.terminate()
    server.wait(timeout=20)
    log.close()


def test_a_figure_in_jupyterlab_answers_to_keys_and_keeps_them(lab, visit, tmp_path):
    page = visit(f"{lab}/lab/tree/figure.ipynb?token={TOKEN}").page
    figure = page.locator("[data-params]")
    figure.locator("#n").wait_for(timeout=60_000)
    page.wait_for_timeout(4000)  # the notebook takes the focus once its kernel is there
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "j", "k"):  # j and k move cells outside
        figure.locator("#n").press(key)
    assert figure.locator("#n-value").inner_text() == "130"
    page.screenshot(path=str(tmp_path / "lab.png"))
