"""The figure `roofline`: its JavaScript against `decodelab.roofline` on random settings, and its fallback."""

import json
import re
import subprocess
import sys
from importlib import resources

import numpy as np
import pytest
from decodelab import explorers, roofline
from decodelab.explorers import base, roofline_chart
from decodelab.hardware import DEVICES, MODELS
from decodelab.roofline import BYTES, Device
from test_explorers import Elements, run_javascript

HARNESS = """
const answer = cases.map(({ device, model, dtype, batch, context, draft }) => {
  const [on, of] = [data.devices[device], data.models[model]];
  return { ...costOfStep(on, of, dtype, { batch, context, fresh: draft + 1 }), kv: bytesKvToken(of),
    v: verificationCost(on, of, dtype, { batch, context }, draft) };
});
"""


def javascript(cases, data):
    steps = resources.files("decodelab.explorers").joinpath("roofline_step.js").read_text(encoding="utf-8")
    given = f"const cases = {json.dumps(cases)};\nconst data = {json.dumps(data)};"
    return run_javascript(f"{given}\n{steps}\n{HARNESS}")


def random_cases(count):
    """Every device, model and dtype, at random sizes."""
    rng = np.random.default_rng(7)
    for i in range(count):
        yield {
            "device": list(DEVICES)[i % len(DEVICES)],
            "model": str(rng.choice(list(MODELS))),
            "dtype": str(rng.choice(list(BYTES))),
            "batch": int(2 ** rng.uniform(0, 10)),
            "context": int(rng.choice([0, 1, int(2 ** rng.uniform(4, 17))], p=[0.3, 0.05, 0.65])),
            "draft": int(rng.integers(0, 17)),
        }


def python_answer(device, model, dtype, batch, context, draft):
    device, model = DEVICES[device], MODELS[model]
    kind = roofline_chart.arithmetic(device, dtype)
    sizes = {"batch": batch, "new": draft + 1, "context": context}
    read = roofline.bytes_step(model, dtype, **sizes)
    cache = batch * context * roofline.bytes_kv_token(model)

    def seconds(new):
        return roofline.seconds_step(
            device, model, dtype, arithmetic=kind, batch=batch, new=new, context=context
        )

    return {
        "arithmetic": kind,
        "peak": device.flops_per_second[kind],
        "ridge": roofline.balance(device, kind),
        "weights": roofline.bytes_weights(model, dtype, tokens=batch * (draft + 1)),
        "cache": cache,
        "kv": roofline.bytes_kv_token(model),
        "bytes": read,
        "flops": roofline.flops_step(model, **sizes),
        "intensity": roofline.intensity(model, dtype, **sizes),
        "reading": read / device.bytes_per_second,
        "computing": roofline.flops_step(model, **sizes) / device.flops_per_second[kind],
        "seconds": seconds(draft + 1),
        "memory": roofline.bytes_weights(model, dtype) + cache,
        "v": seconds(draft + 1) / seconds(1),
    }


def test_ref_javascript_equals_the_formulas_on_a_thousand_random_settings():
    cases = list(random_cases(1000))
    answers = javascript(cases, explorers.roofline().data)
    bounds = set()
    for case, theirs in zip(cases, answers, strict=True):
        ours = python_answer(**case)
        assert theirs.keys() == ours.keys()
        for key, value in ours.items():
            assert theirs[key] == (pytest.approx(value, rel=1e-12) if key != "arithmetic" else value), case
        bounds.add(theirs["computing"] > theirs["reading"])
        if ours["arithmetic"] == "bfloat16":
            name = ("batch", "context", "dtype")
            v = roofline.verification_cost(
                DEVICES[case["device"]], MODELS[case["model"]], case["draft"], **{n: case[n] for n in name}
            )
            assert theirs["v"] == pytest.approx(v, rel=1e-12), case
    assert bounds == {True, False}


def test_ref_published_figures_are_on_the_screen():
    """A100 and H100 ridges, the 13B step, cache bytes a token, experts that a step reads."""
    cases = [
        {"device": d, "model": m, "dtype": "bfloat16", "batch": b, "context": 0, "draft": 0}
        for d, m, b in (
            ("A100", "Llama-2-13B", 1),
            ("H100", "Llama-3-8B", 1),
            ("H200", "Llama-3-70B", 1),
            ("A100", "Qwen3-32B", 1),
            ("A100", "Mixtral-8x7B", 3),
        )
    ]
    a100, h100, h200, qwen, mixtral = javascript(cases, explorers.roofline().data)
    assert a100["seconds"] == pytest.approx(12.75e-3, rel=2e-3)
    assert round(a100["ridge"]) == 153 and round(h100["ridge"]) == 295
    assert (h100["kv"], h200["kv"], qwen["kv"]) == (131_072, 327_680, 262_144)
    moe = MODELS["Mixtral-8x7B"]
    shared = moe.parameters - moe.expert_parameters
    read = (mixtral["weights"] / 2 - shared) / moe.expert_parameters * 8
    assert read == pytest.approx(8 * (1 - 0.75**3))


def test_ref_javascript_and_python_agree_on_bytes_a_weight():
    source = resources.files("decodelab.explorers").joinpath("roofline_step.js").read_text(encoding="utf-8")
    table = run_javascript(f"{source}\nconst answer = {{ BYTES, BYTES_KV }};")
    assert table == {"BYTES": BYTES, "BYTES_KV": BYTES["bfloat16"]}


def test_prop_a_measured_device_without_16_bits_and_memory_joins_the_list():
    mine = Device("mine", 20e9, {"float32": 0.5e12}, float("nan"), "measured here")
    figure = explorers.roofline("mine", "SmolLM2-135M", devices={"mine": mine})
    assert figure.data["devices"]["mine"] == {"bandwidth": 20e9, "memory": None, "peaks": {"float32": 0.5e12}}
    assert ("memory of the device, GB", "unknown") in figure.table
    (attrs,) = Elements(figure._repr_html_()).named(figure.tag)
    assert "NaN" not in attrs["data-params"]


def test_prop_sliders_stop_at_the_values_asked_for():
    data = explorers.roofline(batch=153, context=1000).data
    assert 153 in data["batches"] and 1000 in data["contexts"]
    assert data["batches"] == sorted(set(data["batches"])) and data["batches"][-1] == 1024
    assert data["contexts"][0] == 0 and data["contexts"][-1] == 131_072


def test_prop_the_fallback_is_complete_and_nothing_is_loaded():
    figure = explorers.roofline(draft=4)
    text = figure._repr_html_()
    assert text == explorers.roofline(draft=4)._repr_html_()
    light = Elements(text)
    (image,) = light.named("img")
    assert image["src"].startswith("data:image/png;base64,")
    assert "12.77 ms, bound by memory" in image["alt"] and "ridge at 153" in image["alt"]
    assert "dataframe" in light.named("table")[0]["class"].split()
    assert ("time of a step, ms", "12.77", "12.77") in figure.table
    assert not re.search(r"https?:|\bimport\b|\bfetch\(|url\(", text)
    assert not re.search("0x[0-9a-fA-F]{6,}", text)
    assert len(text) < 40_000 and len(base.source("roofline")) < 20_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"device": "abacus"}, "device must be one of A100"),
        ({"model": "none"}, "model must be one of"),
        ({"dtype": "int2"}, "dtype must be one of float32"),
        ({"batch": 0}, "batch must be an integer from 1 to 1024"),
        ({"context": -1}, "context must be an integer from 0 to 131072"),
        ({"draft": 17}, "draft must be an integer from 0 to 16"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=words):
        explorers.roofline(**arguments)


def test_prop_both_figures_load_neither_torch_nor_pyplot():
    code = "import sys, decodelab.explorers as e; e.rewind, e.roofline; print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.split() == ["False"]
