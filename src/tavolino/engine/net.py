"""A small network, compiled: which features are on → 64 → 32 → the chance to win.

The input is a list of the features that are on, so the first layer is a sum of a few rows. All numbers of a network lie
in one float32 array, the first layer last, so that its length tells how many features there are.
"""

import math
from typing import Any

import numpy as np

from tavolino.engine.contract import Features as Features
from tavolino.engine.contract import Net as Net
from tavolino.engine.jit import rule
from tavolino.engine.maths import exp

H1, H2 = 64, 32
B1, W2, B2, W3, B3, W1 = 0, H1, H1 + H1 * H2, H1 + H1 * H2 + H2, H1 + H1 * H2 + 2 * H2, H1 + H1 * H2 + 2 * H2 + 1

NEAR, WIDE = 0, 1  # how far to look for good moves
WORK = 2 * (H1 + H2)
"""The length of the float32 scratch array the functions here need."""


def new_net(features: int, seed: int) -> Net:
    """Return a network with small random weights that says about 0.5 to everything."""
    rng = np.random.default_rng(seed)
    net = np.zeros(W1 + features * H1, np.float32)
    net[W1:] = rng.normal(0, 0.05, features * H1)
    net[W2:B2] = rng.normal(0, math.sqrt(2 / H1), H1 * H2)
    net[W3:B3] = rng.normal(0, math.sqrt(1 / H2), H2)
    return net


@rule
def add_rows(net: Net, on: Features, n: int, layer: Any) -> None:
    """Add to the sums of the first layer what features bring, four at a time: five times as fast as one by one."""
    i = 0
    while i + 4 <= n:
        a, b = net[W1 + on[i] * H1 :], net[W1 + on[i + 1] * H1 :]
        c, d = net[W1 + on[i + 2] * H1 :], net[W1 + on[i + 3] * H1 :]
        for j in range(H1):
            layer[j] += (a[j] + b[j]) + (c[j] + d[j])
        i += 4
    while i < n:
        a = net[W1 + on[i] * H1 :]
        for j in range(H1):
            layer[j] += a[j]
        i += 1


@rule
def finish(net: Net, work: Any) -> float:
    """Return the chance to win once the first layer's sums stand in work[:H1].

    work[:H1+H2] keeps both layers, 0 where a unit is off. Each step is a loop of its own over neighbouring numbers,
    for SIMD: a browser's compiler makes a branch of a single `max`, and whether a unit is on cannot be guessed.
    """
    out, zero = work[H1 : H1 + H2], np.float32(0)
    for i in range(H1):
        work[i] = max(work[i], zero)
    for j in range(H2):
        out[j] = net[B2 + j]
    for i in range(0, H1, 8):
        a, b, c, d = work[i], work[i + 1], work[i + 2], work[i + 3]
        e, f, g, h = work[i + 4], work[i + 5], work[i + 6], work[i + 7]
        rows = net[W2 + i * H2 : W2 + (i + 8) * H2]
        for j in range(H2):
            first = (a * rows[j] + b * rows[H2 + j]) + (c * rows[2 * H2 + j] + d * rows[3 * H2 + j])
            second = (e * rows[4 * H2 + j] + f * rows[5 * H2 + j]) + (g * rows[6 * H2 + j] + h * rows[7 * H2 + j])
            out[j] = (out[j] + first) + second
    for j in range(H2):
        out[j] = max(out[j], zero)
    total = net[B3]
    for j in range(H2):
        total += out[j] * net[W3 + j]
    return 1.0 / (1.0 + exp(-np.float64(total)))


@rule
def forward(net: Net, on: Features, n: int, work: Any) -> float:
    """Return the chance to win for the position with the features on[0..n-1]; work[:H1+H2] keeps the layers."""
    for j in range(H1):
        work[j] = net[B1 + j]
    add_rows(net, on, n, work)
    return finish(net, work)


@rule
def learn(net: Net, on: Features, n: int, target: float, rate: float, work: Any) -> float:
    """Take one step of gradient descent (log loss) towards a target from 0 to 1; return what was predicted."""
    guess = forward(net, on, n, work)
    step = np.float32(rate * (target - guess))
    back = work[H1 + H2 :]
    for i in range(H1):
        back[i] = 0
    for j in range(H2):
        x = work[H1 + j]
        if x > 0:
            slope = step * net[W3 + j]
            net[W3 + j] += step * x
            net[B2 + j] += slope
            for i in range(H1):
                if work[i] > 0:
                    back[i] += slope * net[W2 + i * H2 + j]
                    net[W2 + i * H2 + j] += slope * work[i]
    net[B3] += step
    for i in range(H1):
        net[B1 + i] += back[i]
    for k in range(n):
        row = net[W1 + on[k] * H1 :]
        for i in range(H1):
            row[i] += back[i]
    return guess
