"""The cost model: published values, faults by number, and scaling that a wrong unit would break."""

from dataclasses import replace

import pytest
from decodelab import measure
from decodelab.hardware import DEVICES, MODELS
from decodelab.roofline import (
    Device,
    ModelShape,
    balance,
    balance_batch,
    bytes_kv_token,
    bytes_step,
    bytes_weights,
    distinct_experts,
    flops_step,
    intensity,
    seconds_step,
    verification_cost,
)
from decodelab.speculative import best_gamma, speedup

A100, H100 = DEVICES["A100"], DEVICES["H100"]
GIB = 2**30
ROUND_13B = replace(MODELS["Llama-2-13B"], parameters=13e9, active=13e9)


def test_published_balance_points_and_bounds():
    assert balance(A100, "bfloat16") == pytest.approx(153.0, abs=0.1)
    assert balance(H100, "bfloat16") == pytest.approx(295.3, abs=0.1)
    assert 1e3 * seconds_step(A100, ROUND_13B) == pytest.approx(12.7513, abs=5e-5)
    assert 1 / seconds_step(A100, ROUND_13B) == pytest.approx(78.4, abs=0.05)
    assert 1e3 * seconds_step(A100, MODELS["Llama-2-13B"]) == pytest.approx(12.7669, abs=5e-5)
    assert 26e9 / 2.0e12 * 1e3 == pytest.approx(13.0)
    assert intensity(ROUND_13B, "bfloat16") == 1  # two FLOP for two bytes


def test_B108_the_cache_counts_key_value_heads():
    assert bytes_kv_token(MODELS["Llama-3-8B"]) == 131_072 == 128 * 1024
    assert bytes_kv_token(MODELS["Llama-3-8B"]) * 8192 == GIB
    assert bytes_kv_token(MODELS["Llama-3-70B"]) == 327_680
    assert bytes_kv_token(MODELS["Llama-3-70B"]) * 32_768 / GIB == 10
    assert bytes_kv_token(MODELS["Llama-3-70B"]) * 32_768 / 1e9 == pytest.approx(10.74, abs=5e-3)
    assert bytes_kv_token(MODELS["Llama-2-7B"]) * 32_768 / GIB == 16
    assert bytes_kv_token(MODELS["Qwen3-32B"]) == 262_144  # head_dim 128, though width / heads is 80
    assert bytes_kv_token(MODELS["Llama-2-13B"]) == 819_200
    assert bytes_kv_token(MODELS["DeepSeek-V3"]) == 61 * 576 * 2
    assert bytes_kv_token(MODELS["Llama-3-8B"], "float8") == 65_536


def test_B112_a_forward_costs_two_flop_a_weight_and_the_embedding_is_no_product():
    whole = replace(MODELS["Llama-3-8B"], active=8.03e9)
    assert flops_step(whole) == 16.06e9
    assert flops_step(MODELS["Llama-3-8B"]) == pytest.approx(15.01e9, rel=1e-3)


def test_B113_time_ratio_is_ridge_over_intensity():
    assert 1e6 * 65_536 / 838e12 == pytest.approx(7.82e-5, rel=1e-3)
    layer = ModelShape("one layer", 1, 1024, 8, 8, 128, 0, 0, "a cache alone: every head has keys of its own")
    device = Device("of the fault", 1.8e12, {"bfloat16": 838e12}, 32e9, "known fault")
    bytes_kv = bytes_step(layer, "bfloat16", context=2048)
    flops_kv = flops_step(layer, context=2047.5)  # scores and mixing: one FLOP a byte
    assert bytes_kv == 8_388_608 == flops_kv
    assert 1e6 * seconds_step(device, layer, context=2048) == pytest.approx(4.66, abs=5e-3)
    assert 1e6 * flops_kv / device.flops_per_second["bfloat16"] == pytest.approx(0.0100, abs=5e-5)
    assert balance(device, "bfloat16") == pytest.approx(465.6, abs=0.05)
    assert intensity(layer, "bfloat16", context=2048) == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize("name", DEVICES)
def test_B113_the_self_check_holds_for_every_device(name):
    device, model = DEVICES[name], MODELS["Llama-3-8B"]
    for dtype in set(device.flops_per_second) & {"bfloat16", "float16"}:
        reading = bytes_step(model, dtype) / device.bytes_per_second
        math_time = flops_step(model) / device.flops_per_second[dtype]
        assert reading / math_time == pytest.approx(balance(device, dtype) / intensity(model, dtype))


# TFLOP/s as the sheets print them: 16-bit, 8-bit integer, 8-bit float; and how many times the dense peak
# that is (2: the sheet prints sparse peaks).
PRINTED = {
    "A100": (1, 312, 624, None),
    "H100": (2, 1979, 3958, 3958),
    "H200": (2, 1979, 3958, 3958),
    "L4": (2, 242, 485, 485),
    "T4": (1, 65, 130, None),
    "RTX 4090": (1, 165.2, None, 330.3),
    "M2 Max": (1, 13.6, None, None),
    "laptop CPU": (1, 8 * 3e9 * 32 / 1e12, None, None),
}


def test_B114_peaks_are_dense():
    assert set(PRINTED) == set(DEVICES) and H100.flops_per_second["bfloat16"] == 989.4e12
    for name, (factor, half, whole, eighth) in PRINTED.items():
        device, printed = DEVICES[name], {"bfloat16": half, "float16": half, "int8": whole, "float8": eighth}
        assert device.source and 1 < balance(device, "float32") < 110
        for dtype in device.flops_per_second.keys() & printed.keys():
            dense = 1e12 * printed[dtype] / factor
            assert device.flops_per_second[dtype] == pytest.approx(dense, rel=2e-3), (name, dtype)


def test_B115_the_balance_batch_depends_on_the_bytes_of_a_weight():
    assert [round(balance_batch(H100, dtype)) for dtype in ("bfloat16", "int8", "int4")] == [295, 148, 74]


def test_B117_decimal_and_binary_prefixes():
    assert bytes_weights(replace(ROUND_13B, parameters=70e9), "bfloat16") == 140e9
    assert 140e9 / GIB == pytest.approx(130.39, abs=5e-3)
    assert 1e3 * 16.06e9 / 3.35e12 == pytest.approx(4.794, abs=5e-4)


def test_B119_verification_is_not_free():
    assert speedup(0.8, 4, 0.1) == pytest.approx(2.401, abs=5e-4)
    assert speedup(0.8, 4, 0.1, v=1.5) == pytest.approx(1.769, abs=5e-4)
    assert speedup(0.8, 4, 0.1, v=5) == pytest.approx(0.6225, abs=5e-5)
    assert best_gamma(0.8, 0.1) == 6 and speedup(0.8, 6, 0.1) == pytest.approx(2.4696, abs=5e-5)
    model = MODELS["Llama-3-8B"]
    for batch in (1, 8, 64, 256, 1024):
        cost = verification_cost(A100, model, 4, batch=batch)
        assert 1 <= cost <= 5
    assert verification_cost(A100, model, 4, batch=1) == 1  # reading the weights hides it
    assert verification_cost(A100, model, 4, batch=1024) == pytest.approx(5)


def test_drafting_that_costs_nothing_has_no_best_length():
    with pytest.raises(ValueError, match="has no best length"):
        best_gamma(0.5, 0)
    with pytest.raises(ValueError, match="the most that is tried"):
        best_gamma(0.9999, 1e-5)
    assert best_gamma(0.0, 0.0) == 0 and best_gamma(0.9, 0.02) == 19


def test_experts_read_by_a_batch():
    assert [round(distinct_experts(8, 2, b), 3) for b in (1, 2, 4, 16)] == [2, 3.5, 5.469, 7.92]
    mixtral = MODELS["Mixtral-8x7B"]
    one, many = (bytes_step(mixtral, "bfloat16", batch=b) for b in (1, 10_000))
    assert many == pytest.approx(bytes_weights(mixtral, "bfloat16")) and one < many / 3
    assert one == pytest.approx(2 * mixtral.active, rel=0.03)


def test_a_long_context_never_becomes_compute_bound():
    """With the cache in the bytes, more texts bring more bytes: the intensity has a limit."""

    def limit(context):
        return intensity(ROUND_13B, "bfloat16", batch=10**9, context=context)

    weights_only = 2 * 13e9 / (2048 * 819_200)
    assert weights_only == pytest.approx(15.5, abs=0.05)
    attention = 4 * 40 * 40 * 128 * 2048 / (2048 * 819_200)
    assert limit(2048) == pytest.approx(weights_only + attention, rel=1e-3)
    assert 2 * 13e9 / (153 * 819_200) == pytest.approx(207.4, abs=0.5)
    assert limit(100) > balance(A100, "bfloat16") > limit(300)
    assert balance_batch(A100, "bfloat16") / 5 == pytest.approx(30.6, abs=0.01)
    assert balance_batch(H100, "bfloat16") / 5 == pytest.approx(59, abs=0.1)


@pytest.mark.parametrize("factor", [2.0, 10.0])
def test_scaling_tells_a_wrong_unit_apart(factor):
    model = MODELS["Llama-3-8B"]
    faster = replace(A100, bytes_per_second=A100.bytes_per_second * factor)
    assert seconds_step(faster, model) == pytest.approx(seconds_step(A100, model) / factor)
    larger = replace(model, parameters=model.parameters * factor)
    assert bytes_weights(larger, "bfloat16") == factor * bytes_weights(model, "bfloat16")
    assert bytes_step(model, "bfloat16", context=factor * 1000) - bytes_weights(model, "bfloat16") == (
        pytest.approx(factor * 1000 * bytes_kv_token(model))
    )
    assert flops_step(model, batch=int(factor)) == factor * flops_step(model)


def test_bad_names_are_refused():
    with pytest.raises(ValueError, match="T4 has no peak for dtype 'bfloat16'"):
        balance(DEVICES["T4"], "bfloat16")
    with pytest.raises(ValueError, match="dtype must be one of .* got 'fp16'"):
        bytes_weights(MODELS["Llama-3-8B"], "fp16")


def test_measuring_returns_a_device_and_a_curve():
    torch = pytest.importorskip("torch")
    from decodelab.gpt import Shape
    from decodelab.measure import best_device, forward_times, measure_device, median_seconds

    device = measure_device("cpu", bytes_read=8e6, side=256)
    assert device.name and device.bytes_per_second > 1e8 and device.flops_per_second["float32"] > 1e8
    curve = forward_times([1, 4], device="cpu", dtype=torch.float32, shape=Shape(16, 32, 2, 2, 1), repeats=2)
    assert list(curve) == [1, 4] and all(seconds > 0 for seconds in curve.values())
    assert best_device() in ("cpu", "cuda", "mps")
    assert median_seconds(lambda: None, "cpu", repeats=3) < 0.1


def test_a_device_with_an_index_is_waited_for(monkeypatch):
    waited = []
    monkeypatch.setattr(measure.torch.cuda, "synchronize", waited.append)
    for device in ("cuda", "cuda:0", measure.torch.device("cuda")):
        waited.clear()
        measure.median_seconds(lambda: None, device, repeats=1)
        assert len(waited) == 4  # before and after each of two runs
    with pytest.raises(ValueError, match="repeats must be"):
        measure.median_seconds(lambda: None, "cpu", repeats=0)
