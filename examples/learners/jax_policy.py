"""JAX: a network copies `greedy` at Face to Face; its arrays become an ONNX file. `pip install tavolino[onnx] jax`."""

import sys

import jax
import jax.numpy as jnp
import numpy as np

from tavolino import Batch
from tavolino.bots.policy_files import Layers, save_layers

file = sys.argv[1] if len(sys.argv) > 1 else "copied.onnx"
batch = Batch("face-to-face", size=512, seed=1)
sizes = [batch.observations.shape[1], 64, batch.masks.shape[1]]
keys = jax.random.split(jax.random.PRNGKey(1), len(sizes) - 1)
weights = [jax.random.normal(key, (n, m)) / n**0.5 for key, n, m in zip(keys, sizes, sizes[1:], strict=False)]
biases = [jnp.zeros(m) for m in sizes[1:]]


def loss(layers, seen, mask, wanted):
    (first, last), (shift, level) = layers
    logits = jax.nn.relu(seen @ first + shift) @ last + level
    logs = jax.nn.log_softmax(jnp.where(mask, logits, -1e9))
    return -logs[jnp.arange(len(seen)), wanted].mean()


@jax.jit
def learn(layers, *shown):
    found, gradients = jax.value_and_grad(loss)(layers, *shown)
    return found, jax.tree.map(lambda weight, gradient: weight - 0.5 * gradient, layers, gradients)


layers = weights, biases
for step in range(300):
    wanted = batch.bot("greedy")
    shown = batch.observations.copy(), batch.masks.copy(), wanted.copy()  # JAX reads them while the batch goes on
    found, layers = learn(layers, *shown)
    batch.step(wanted)
    if step % 100 == 99:
        print(f"step {step + 1}: loss {found:.3f}")
arrays = [[np.asarray(array, np.float32) for array in part] for part in layers]
save_layers(file, Layers(*arrays, np.arange(sizes[0]), np.arange(sizes[-1])), "face-to-face")
print(f"{file}: tavolino arena face-to-face --bots random,{file}")
