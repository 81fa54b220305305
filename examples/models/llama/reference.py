#!/usr/bin/python3
"""The model of main.rs in NumPy: rounded to bf16 where the kernels round, sums in f32.

usage: reference.py WEIGHTS.safetensors PROMPT COUNT

Prints what `contra run main.rs -- WEIGHTS PROMPT COUNT greedy` prints. The sizes are those of the file; only heads have to be
told apart (HEAD_DIM).
"""

import json
import sys

import numpy as np

HEAD_DIM = 64
EPSILON = 1e-5
ROTARY_BASE = 500000.0
BEGIN, END, TOKENS = 256, 257, 258  # tokens are bytes, then these


def bf16_bits(array):
    """Rounded to the nearest bf16, ties to even."""
    bits = np.asarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bits(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def bf16(array):
    return from_bits(bf16_bits(array))


def load(path):
    """The arrays of a .safetensors file, all of bf16, by their names."""
    with open(path, "rb") as file:
        data = file.read()
    start = 8 + int.from_bytes(data[:8], "little")
    arrays = {}
    for name, entry in json.loads(data[8:start]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            bits = np.frombuffer(data[start + begin:start + end], "<u2")
            arrays[name] = from_bits(bits).reshape(entry["shape"])
    return arrays


def norm(x, gain):
    scale = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True, dtype=np.float32) + np.float32(EPSILON))
    return bf16(x * scale * gain)


def turn(heads):
    """Rotary position embedding of [token, head, d]: one half of d against the other."""
    half = heads.shape[-1] // 2
    cos, sin = (table[:, None] for table in angles(len(heads), half))
    first, second = heads[..., :half], heads[..., half:]
    return bf16(np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1))


def angles(positions, half):
    """Cosines and sines."""
    turns = np.arange(positions)[:, None] / ROTARY_BASE ** (np.arange(half) / half)
    return np.cos(turns).astype(np.float32), np.sin(turns).astype(np.float32)


def project(x, part):
    """Queries, keys and values: [token, head, d]."""
    normal = norm(x, part("input_layernorm"))
    q, k, v = ((normal @ part(f"self_attn.{name}_proj").T).reshape(len(x), -1, HEAD_DIM) for name in "qkv")
    return turn(q), turn(k), bf16(v)


def attention(x, part):
    q, k, v = project(x, part)
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    scores = np.einsum("qhd,khd->hqk", q, k) * np.float32(HEAD_DIM ** -0.5)
    scores = np.where(np.tri(len(x), dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights * (1 / weights.sum(axis=-1, keepdims=True))
    mixed = bf16(np.einsum("hqk,khd->qhd", weights, v)).reshape(len(x), -1)
    return bf16(x + mixed @ part("self_attn.o_proj").T)


def mlp(x, part):
    normal = norm(x, part("post_attention_layernorm"))
    gate, up = normal @ part("mlp.gate_proj").T, normal @ part("mlp.up_proj").T
    return bf16(x + bf16(gate / (1 + np.exp(-gate)) * up) @ part("mlp.down_proj").T)


def hidden(weights, tokens):
    """What the last layer makes of every token, normed: what logits are made of."""
    x = weights["model.embed_tokens.weight"][tokens]
    layer = 0
    while f"model.layers.{layer}.input_layernorm.weight" in weights:
        def part(name, layer=layer):
            return weights[f"model.layers.{layer}.{name}.weight"]
        x = mlp(attention(x, part), part)
        layer += 1
    return norm(x, weights["model.norm.weight"])


def generate(weights, prompt, count):
    """Tokens, greedily, as main.rs chooses them."""
    tokens = [BEGIN, *prompt.encode()]
    start = len(tokens)
    for _ in range(count):
        logits = hidden(weights, tokens)[-1] @ weights["lm_head.weight"].T
        tokens.append(int(logits[:TOKENS].argmax()))
        if tokens[-1] >= BEGIN:
            break
    return tokens[start:]


def main():
    path, prompt, count = sys.argv[1:]
    found = generate(load(path), prompt, int(count))
    print(prompt + bytes(token for token in found if token < BEGIN).decode(errors="replace"))
    print(f"{len(found)} tokens:", *found)


if __name__ == "__main__":
    main()
