"""Tianshou: DQN learns Out of Sock against `random`. `pip install tavolino[envs] tianshou`."""

import gymnasium as gym
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step


def make() -> gym.Env:
    """Return the game with the names that Tianshou gives to observations and masks."""
    env = gym.make("tavolino:Tavolino/OutOfSock-v1", opponents=["random"])
    return gym.wrappers.TransformObservation(
        env,
        lambda shown: {"obs": shown["observation"], "mask": shown["action_mask"].astype(bool)},
        gym.spaces.Dict({"obs": env.observation_space["observation"], "mask": env.observation_space["action_mask"]}),
    )


env, many = make(), DummyVectorEnv([make for _ in range(4)])
net = Net(state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[64])
policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.2)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)
collector = Collector[CollectStats](learner, many, VectorReplayBuffer(4000, 4), exploration_noise=True)
collector.reset()
with policy_within_training_step(policy):
    for _ in range(4):
        got = collector.collect(n_step=256)
        learner.update(buffer=collector.buffer, sample_size=64)
        print(f"{len(got.returns)} games ended, rewards {got.returns.tolist()}")
