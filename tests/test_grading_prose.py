"""Sets 04 and 05: every number of their prose, by the reference solutions."""

import math

import pytest
from decodelab import hardware
from test_exercises import ROOT, code_cells, run_cells


def solved(name):
    return run_cells(code_cells((ROOT / f"solutions/{name}.md").read_text(encoding="utf-8")))[0]


@pytest.fixture(scope="module")
def roofline():
    return solved("ex04_roofline")


@pytest.fixture(scope="module")
def caches():
    return solved("ex05_kvcache")


def test_limits_sizes_and_texts_of_set_04(roofline):
    a100, models = hardware.DEVICES["A100"], hardware.MODELS
    ms, rate, ridge = roofline["limits"](13e9, 2, a100.bytes_per_second, a100.flops_per_second["bfloat16"])
    assert (round(ms, 2), round(rate, 1), round(ridge)) == (12.75, 78.4, 153)
    assert round(100 * (2**30 / 1e9 - 1), 1) == 7.4
    assert roofline["cache_sizes"](models["Llama-3-8B"], 8192)[::2] == (131_072, 1)
    qwen = models["Qwen3-32B"]
    assert (qwen.heads, qwen.head_dim == 80) == (64, False)
    llama = models["Llama-2-13B"]
    assert round(roofline["cache_sizes"](llama, 2048)[1], 2) == 1.68
    assert round(2 * llama.parameters / 1e9) == 26
    fits = roofline["texts_that_fit"]
    assert fits(llama, 80, 2048) == 32 and fits(llama, 80 * 2**30 / 1e9, 2048) == 35
    large = models["Llama-3-70B"]
    assert round(large.parameters / 1e9, 3) == 70.554 and round(2 * large.parameters / 1e9, 1) == 141.1
    assert fits(large, 141, 1) == 0


def test_balance_and_context_of_set_04(roofline):
    a100, h100 = hardware.DEVICES["A100"], hardware.DEVICES["H100"]
    llama = hardware.MODELS["Llama-2-13B"]
    ridge = h100.flops_per_second["bfloat16"] / h100.bytes_per_second
    assert round(ridge) == 295
    batches = [roofline["balance_batch"](1e9, w, ridge, 0) for w in (2, 1, 0.5)]
    assert [round(b) for b in batches] == [295, 148, 74]
    per_token = roofline["cache_sizes"](llama, 1)[0]
    assert per_token == 819_200 and round(llama.parameters / 1e9, 4) == 13.0159
    limit = 2 * llama.parameters / (2048 * per_token)
    a100_ridge = a100.flops_per_second["bfloat16"] / a100.bytes_per_second
    assert round(limit, 1) == 15.5 and round(a100_ridge / limit) == 10
    context = roofline["longest_context"](llama.parameters, per_token, a100_ridge)
    assert round(context, 2) == 207.67
    assert roofline["balance_batch"](llama.parameters, 2, a100_ridge, 208 * per_token) == math.inf
    assert roofline["balance_batch"](llama.parameters, 2, a100_ridge, 207 * per_token) < math.inf


def test_experts_and_speedups_of_set_04(roofline):
    mixtral = hardware.MODELS["Mixtral-8x7B"]
    assert (mixtral.experts, mixtral.chosen) == (8, 2)
    always = 2 * (mixtral.parameters - mixtral.expert_parameters)
    share = [(roofline["bytes_read"](mixtral, n) - always) / (2 * mixtral.expert_parameters) for n in (1, 2)]
    assert [round(8 * s, 9) for s in share] == [2, 3.5]
    gains = [roofline["speedup"](0.8, 0.1, 4, v) for v in (1, 1.5, 5)]
    assert [round(gains[0], 3), round(gains[1], 3), round(gains[2], 4)] == [2.401, 1.769, 0.6225]


def test_the_cases_told_in_set_05(caches):
    assert caches["one_round"](1, 1, 1) == (2, 1, 2)
    assert caches["one_round"](10, 5, 3) == (6, 12, 13)
    assert caches["rewind"](1, 0) == (1, 0) and caches["rewind"](1, 1) == (0, -1)
    assert caches["to_feed"]([5, 7], [5, 7]) == (1, [7])
    rows = list("ABCDE")
    caches["keep"](rows, [0, 1, 2, 4])
    assert rows == list("ABCE")
    assert caches["tree_mask"]([-1, 0, 0])[2] == [True, False, True]
    assert caches["tree_positions"]([-1, 0, 0, 1, 2], 10) == [10, 11, 11, 12, 12]
    path = caches["rows_of_path"]([3, 5, 7, 8, 2], [-1, 0, 0, 2, 2], 4, [7, 2, 9])
    assert path == [0, 1, 2, 3, 4, 6, 8]


def test_the_forgetting_cache_of_set_05(caches):
    assert caches["take_back"](20, 8, 0, 0) == list(range(12, 20))
    with pytest.raises(ValueError, match="forgotten"):
        caches["take_back"](20, 8, 0, 1)
    assert caches["take_back"](20, 8, 1, 1) == list(range(11, 19))
