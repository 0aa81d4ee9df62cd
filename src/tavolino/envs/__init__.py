"""Environments for learning and research: `Batch`, a lean `Env`, adapters for Gymnasium, PettingZoo and OpenSpiel."""
