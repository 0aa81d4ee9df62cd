"""A small network, compiled: which features are on → 32 → 16 → the chance to win.

The input is a list of the features that are on, so the first layer is a sum of a few rows. All numbers of a network lie
in one float32 array, the first layer last, so that its length tells how many features there are.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.games.jit import rule

H1, H2 = 32, 16
B1, W2, B2, W3, B3, W1 = 0, H1, H1 + H1 * H2, H1 + H1 * H2 + H2, H1 + H1 * H2 + 2 * H2, H1 + H1 * H2 + 2 * H2 + 1

Net = NDArray[np.float32]
Features = NDArray[np.int32]
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
def forward(net: Net, on: Features, n: int, work: Any) -> float:
    """Return the chance to win for the position with the features on[0..n-1]; work[:H1+H2] keeps the layers."""
    for j in range(H1):
        work[j] = net[B1 + j]
    for i in range(n):
        row = W1 + on[i] * H1
        for j in range(H1):
            work[j] += net[row + j]
    for j in range(H2):
        work[H1 + j] = net[B2 + j]
    for i in range(H1):
        x = work[i]
        if x > 0:
            for j in range(H2):
                work[H1 + j] += x * net[W2 + i * H2 + j]
    total = net[B3]
    for j in range(H2):
        if work[H1 + j] > 0:
            total += work[H1 + j] * net[W3 + j]
    return 1.0 / (1.0 + math.exp(-total))


@rule
def learn(net: Net, on: Features, n: int, target: float, rate: float, work: Any) -> float:
    """Take one step of gradient descent (log loss) towards a target from 0 to 1; return what was predicted."""
    guess = forward(net, on, n, work)
    step = np.float32(rate * (target - guess))
    back = H1 + H2
    for i in range(H1):
        work[back + i] = 0
    for j in range(H2):
        x = work[H1 + j]
        if x > 0:
            slope = step * net[W3 + j]
            net[W3 + j] += step * x
            net[B2 + j] += slope
            for i in range(H1):
                if work[i] > 0:
                    work[back + i] += slope * net[W2 + i * H2 + j]
                    net[W2 + i * H2 + j] += slope * work[i]
    net[B3] += step
    for i in range(H1):
        net[B1 + i] += work[back + i]
    for k in range(n):
        row = W1 + on[k] * H1
        for i in range(H1):
            net[row + i] += work[back + i]
    return guess
