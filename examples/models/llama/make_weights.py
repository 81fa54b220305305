#!/usr/bin/python3
"""Weights for the model of main.rs, small enough to run anywhere: writes WEIGHTS.safetensors, in bf16.

usage: make_weights.py WEIGHTS.safetensors

All layers are random, with a fixed seed. What such layers make of a text differs from position to position, so that a linear
map can tell positions apart: the table of logits is fitted (least squares) to say the next letter of the texts below. So the model
has learned a few sentences by heart, and goes on where a prompt is the beginning of one.
"""

import json
import sys

import numpy as np

import reference as r

TEXTS = [
    "The quick brown fox jumps over the lazy dog, and the dog does not mind.",
    "Once upon a time there was a chip with 512 slices that liked to multiply.",
    "Hello! I am a very small language model.",
]
VOCABULARY, HIDDEN, HEADS, KEY_HEADS, FEED_FORWARD, LAYERS = 512, 256, 4, 2, 512, 2
LOGIT = 12.0  # of the letter that follows; others have 0


def matrix(rng, rows, columns, scale=1.0):
    return r.bf16(rng.standard_normal((rows, columns), np.float32) * (scale / np.sqrt(columns)))


def gain(rng):
    return r.bf16(1 + 0.1 * rng.standard_normal(HIDDEN, np.float32))


def random_layer(rng):
    return {
        "input_layernorm": gain(rng),
        "self_attn.q_proj": matrix(rng, HEADS * r.HEAD_DIM, HIDDEN, 1.5),
        "self_attn.k_proj": matrix(rng, KEY_HEADS * r.HEAD_DIM, HIDDEN, 1.5),
        "self_attn.v_proj": matrix(rng, KEY_HEADS * r.HEAD_DIM, HIDDEN, 2),
        "self_attn.o_proj": matrix(rng, HIDDEN, HEADS * r.HEAD_DIM, 2),
        "post_attention_layernorm": gain(rng),
        "mlp.gate_proj": matrix(rng, FEED_FORWARD, HIDDEN, 2),
        "mlp.up_proj": matrix(rng, FEED_FORWARD, HIDDEN, 2),
        "mlp.down_proj": matrix(rng, HIDDEN, FEED_FORWARD),
    }


def random_weights(rng):
    weights = {"model.embed_tokens.weight": matrix(rng, VOCABULARY, HIDDEN, np.sqrt(HIDDEN)), "model.norm.weight": gain(rng)}
    for layer in range(LAYERS):
        weights |= {f"model.layers.{layer}.{name}.weight": array for name, array in random_layer(rng).items()}
    return weights


def fitted(weights):
    """The table of logits that says what follows, at every position of every text."""
    texts = [[r.BEGIN, *text.encode(), r.END] for text in TEXTS]
    states = np.concatenate([r.hidden(weights, text[:-1]) for text in texts]).astype(np.float64)
    following = np.concatenate([text[1:] for text in texts])
    targets = np.zeros((len(following), VOCABULARY))
    targets[np.arange(len(following)), following] = LOGIT
    return r.bf16(np.linalg.lstsq(states, targets, rcond=1e-3)[0].T)


def save(path, weights):
    header, offset = {}, 0
    for name, array in weights.items():
        header[name] = {"dtype": "BF16", "shape": list(array.shape), "data_offsets": [offset, offset + 2 * array.size]}
        offset += 2 * array.size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in weights.values():
            file.write(r.bf16_bits(array).astype("<u2").tobytes())


def make(path):
    weights = random_weights(np.random.default_rng(20240418))
    weights["lm_head.weight"] = fitted(weights)
    save(path, weights)


if __name__ == "__main__":
    make(sys.argv[1])
