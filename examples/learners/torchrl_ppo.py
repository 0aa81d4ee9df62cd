"""TorchRL: an actor with masked logits learns Orma by PPO against `random`. `pip install tavolino[envs] torchrl`."""

import gymnasium as gym
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

torch.manual_seed(1)
env = TransformedEnv(
    GymWrapper(gym.make("tavolino:Tavolino/Orma-v1", opponents=["random"]), categorical_action_encoding=True),
    DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]),
)
inputs, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
body = nn.Sequential(nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, actions))
actor = ProbabilisticActor(
    TensorDictModule(body, ["observation"], ["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},  # what is illegal has no probability
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(nn.Sequential(nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, 1)))
loss = ClipPPOLoss(actor, critic)
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
for batch in Collector(env, actor, frames_per_batch=256, total_frames=1024):
    advantage(batch)
    losses = loss(batch)
    total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
    optimiser.zero_grad()
    total.backward()
    optimiser.step()
    ended = batch["next", "reward"][batch["next", "done"]]
    print(f"loss {total.item():.3f}, {len(ended)} games ended")
