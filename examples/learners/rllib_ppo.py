"""RLlib: PPO with its module for masked actions learns Orma. `pip install tavolino[envs] "ray[rllib]"`."""

import gymnasium as gym
import numpy as np
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


def make(_: object) -> gym.Env:
    """Return the game with the names that RLlib gives to observations and masks."""
    env = gym.make("tavolino:Tavolino/Orma-v1", opponents=["random"])
    inputs, actions = env.observation_space["observation"], env.action_space.n
    return gym.wrappers.TransformObservation(
        env,
        lambda shown: {"observations": shown["observation"], "action_mask": shown["action_mask"].astype(np.float32)},
        gym.spaces.Dict({"observations": inputs, "action_mask": gym.spaces.Box(0, 1, (actions,), np.float32)}),
    )


register_env("orma", make)
module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64]})
learner = (
    PPOConfig()
    .environment("orma")
    .env_runners(num_env_runners=0)
    .training(train_batch_size=512, minibatch_size=128, num_epochs=2, gamma=1.0)
    .rl_module(
        rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64]})
    )
    .build_algo()
)
for _ in range(2):
    found = learner.train()["env_runners"]
    print(f"{found['num_episodes']} games ended, mean reward {found.get('episode_return_mean', float('nan')):.2f}")
learner.stop()
