"""Figures of devices and models, each with its source. Peaks are dense: sparse ones are twice as large.

Shapes of models are those of their published config.json, parameter counts those of the weights.
"""

from __future__ import annotations

from decodelab.roofline import Device, ModelShape

__all__ = ["DEVICES", "MODELS"]

_TERA, _GIGA = 1e12, 1e9


def _device(name, terabytes, gigabytes, source, **teraflops) -> Device:
    return Device(
        name, terabytes * _TERA, {k: v * _TERA for k, v in teraflops.items()}, gigabytes * _GIGA, source
    )


DEVICES = {
    device.name: device
    for device in (
        _device("A100", 2.039, 80, "NVIDIA A100 datasheet, SXM 80 GB",
                float32=19.5, bfloat16=312, float16=312, int8=624),
        _device("H100", 3.35, 80, "NVIDIA H100 datasheet, SXM; its table prints sparse peaks",
                float32=67, bfloat16=989.4, float16=989.4, float8=1978.9, int8=1978.9),
        _device("H200", 4.8, 141, "NVIDIA H200 datasheet, SXM; its table prints sparse peaks",
                float32=67, bfloat16=989.4, float16=989.4, float8=1978.9, int8=1978.9),
        _device("L4", 0.3, 24, "NVIDIA L4 datasheet; its table prints sparse peaks",
                float32=30.3, bfloat16=121, float16=121, float8=242.5, int8=242.5),
        _device("T4", 0.32, 16, "NVIDIA T4 datasheet; no bfloat16", float32=8.1, float16=65, int8=130),
        _device("RTX 4090", 1.008, 24, "NVIDIA Ada architecture whitepaper, float32 accumulation",
                float32=82.6, bfloat16=165.2, float16=165.2, float8=330.3),
        _device("M2 Max", 0.4, 64, "Apple M2 Max, 38-core GPU", float32=13.6, float16=13.6, bfloat16=13.6),
        _device("laptop CPU", 0.0768, 32, "two channels of DDR5-4800; 8 cores, 3 GHz, 32 FLOP a cycle",
                float32=0.768, bfloat16=0.768),
    )
}  # fmt: skip

MODELS = {
    model.name: model
    for model in (
        ModelShape("Llama-2-7B", 32, 4096, 32, 32, 128, 6.738e9, 6.607e9, "Llama-2-7b-hf"),
        ModelShape("Llama-2-13B", 40, 5120, 40, 40, 128, 13.0159e9, 12.852e9, "Llama-2-13b-hf"),
        ModelShape("Llama-2-70B", 80, 8192, 64, 8, 128, 68.977e9, 68.714e9, "Llama-2-70b-hf"),
        ModelShape("Llama-3-8B", 32, 4096, 32, 8, 128, 8.030e9, 7.505e9, "Meta-Llama-3-8B"),
        ModelShape("Llama-3-70B", 80, 8192, 64, 8, 128, 70.554e9, 69.503e9, "Meta-Llama-3-70B"),
        ModelShape("Qwen3-32B", 64, 5120, 64, 8, 128, 32.762e9, 31.984e9, "Qwen3-32B"),
        ModelShape("Mixtral-8x7B", 32, 4096, 32, 8, 128, 46.7e9, 12.75e9,
                   "Mixtral-8x7B-v0.1", experts=8, chosen=2, expert_parameters=45.097e9),
        ModelShape("DeepSeek-V3", 61, 7168, 128, 128, 192, 671e9, 37e9, "arXiv 2412.19437",
                   experts=256, chosen=8, expert_parameters=653.9e9, latent=512 + 64),
        ModelShape("SmolLM2-135M", 30, 576, 9, 3, 64, 134.5e6, 134.5e6, "SmolLM2-135M"),
    )
}  # fmt: skip
