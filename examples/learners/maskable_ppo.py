"""Stable-Baselines3: MaskablePPO learns Face to Face against `random`. `pip install tavolino[envs] sb3-contrib`."""

import gymnasium as gym
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

env = gym.make("tavolino:Tavolino/FaceToFace-v1", opponents=["random"])
model = MaskablePPO("MultiInputPolicy", env, n_steps=256, batch_size=64, seed=1)  # it asks the environment for the mask
model.learn(total_timesteps=1024)
mean, spread = evaluate_policy(model, env, n_eval_episodes=10)
print(f"mean reward {mean:.2f} ± {spread:.2f}")
