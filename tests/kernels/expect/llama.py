"""examples/models/llama: its kernels one by one, and a text that it goes on with. The model in NumPy, and its weights, are those of the
example itself; they round to bf16 where the kernels do. Sums in another order may go to the other one of two neighbours, which is
one part in 128; what such a step is worth in a sum of hundreds of numbers, of which few take one, is less than 1 / 200. Embeddings
are copied: exact."""

import re
import sys
from pathlib import Path

import numpy as np

from . import numbers as n
from .case import File

FOLDER = "../../examples/models/llama"
FILE = f"{FOLDER}/main.rs"
HERE = Path(__file__).resolve().parent.parent
DEVICE = re.compile(r"#\[device\(chip = \d+\)\]\s*pub fn (\w+)")

sys.dont_write_bytecode = True  # beside the example
sys.path.append(str(HERE / FOLDER))
import make_weights as m  # noqa: E402
import reference as r  # noqa: E402

WITHIN = (1 / 128, 1 / 200)
CACHE = 256
PAST = 40  # tokens in front of the one that is decoded
STEPS = {"decode": (1, PAST), "prefill": (16, 0)}  # tokens of a launch, and in front of it


def kernels():
    """(file, name) of all: both steps have them."""
    for source in sorted((HERE / FOLDER / "kernels").glob("*.rs")):
        for name in DEVICE.findall(source.read_text()):
            for step in STEPS:
                yield FILE, f"{step}::kernels::{source.stem}::{name}"


def bits(array):
    return n.f32_to_bf16(array.astype(np.float32))


def layer(rng):
    weights = m.random_layer(rng)
    return weights, lambda name: weights[name]


def hidden(rng, tokens):
    return r.bf16(rng.standard_normal((tokens, m.HIDDEN)))


def in_tiles(matrix):
    """As HBM has it: the first 8 of 16 rows, of all of them; then the others."""
    return matrix.reshape(-1, 2, 8, matrix.shape[1]).transpose(1, 0, 2, 3)


def rows(array):
    """Arrays of kernels have no dimension for an axis of 1."""
    return array.squeeze()


def attention_case(tokens, past):
    def build(rng):
        weights, part = layer(rng)
        x = hidden(rng, past + tokens)
        _, k, v = r.project(x, part)
        shape = (CACHE, m.KEY_HEADS, r.HEAD_DIM)
        keys, values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        keys[:past], values[:past] = k[:past], v[:past]
        positions = past + np.arange(tokens)
        cos, sin = r.angles(CACHE, r.HEAD_DIM // 2)
        mask = np.where(np.arange(CACHE) <= positions[:, None], 0, -np.inf).astype(np.float32)
        inputs = {"x": bits(x[past:]), "gain": bits(weights["input_layernorm"]), "cos": cos, "sin": sin,
                  "at": positions.astype(np.int32), "mask": mask[:, :, None], "keys": bits(keys), "values": bits(values),
                  "w_o": bits(weights["self_attn.o_proj"]).reshape(m.HIDDEN, m.KEY_HEADS, -1, r.HEAD_DIM)}
        for name in "qkv":
            inputs[f"w_{name}"] = bits(weights[f"self_attn.{name}_proj"])
            shape = (m.KEY_HEADS, -1, r.HEAD_DIM, m.HIDDEN) if name == "q" else (m.KEY_HEADS, r.HEAD_DIM, m.HIDDEN)
            inputs[f"w_{name}"] = inputs[f"w_{name}"].reshape(shape)
        keys[past:past + tokens], values[past:past + tokens] = k[past:], v[past:]
        return inputs, {"": rows(r.attention(x, part)[past:]), "keys": keys, "values": values}
    return build


def mlp_case(tokens, _):
    def build(rng):
        weights, part = layer(rng)
        x = hidden(rng, tokens)
        inputs = {"x": bits(x), "gain": bits(weights["post_attention_layernorm"]), "w_down": bits(weights["mlp.down_proj"])}
        for name in ("gate", "up"):
            inputs[f"w_{name}"] = in_tiles(bits(weights[f"mlp.{name}_proj"]))
        return inputs, rows(r.mlp(x, part))
    return build


def embed_case(tokens, _):
    def build(rng):
        table = m.matrix(rng, m.VOCABULARY, m.HIDDEN)
        chosen = rng.integers(0, m.VOCABULARY, tokens)
        return {"table": bits(table), "tokens": chosen.astype(np.int32)}, rows(table[chosen])
    return build


def logits_case(tokens, _):
    def build(rng):
        x, gain, table = hidden(rng, tokens), m.gain(rng), m.matrix(rng, m.VOCABULARY, m.HIDDEN)
        return {"x": bits(x), "gain": bits(gain), "w": in_tiles(bits(table))}, rows(r.norm(x, gain) @ table.T)
    return build


for step, (tokens, past) in STEPS.items():
    for kernel, case in {"attention::attention": attention_case, "mlp::mlp": mlp_case, "ends::embed": embed_case,
                         "ends::logits": logits_case}.items():
        File(FILE).add(f"{step}::kernels::{kernel}", case(tokens, past), within=(0, 0) if case is embed_case else WITHIN)


# ---- the whole model

COUNT = 32


def generation(contra, folder):
    """What is wrong with the text that the example generates, or nothing. A prompt of two steps; one thread, as the passes are
    too small to share."""
    path = folder / "weights.safetensors"
    m.make(path)
    for prompt in ("The", "Once upon a time there"):
        status, said = contra("run", "--sanitize", "--threads", "1", FILE, "--", str(path), prompt, str(COUNT), "greedy")
        found = r.generate(r.load(path), prompt, COUNT)
        wanted = prompt + bytes(found).decode() + f"\n{COUNT} tokens: " + " ".join(map(str, found)) + "\n"
        if status or said != wanted:
            return f"{said}instead of\n{wanted}"
    return ""
