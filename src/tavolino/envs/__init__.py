"""Doors for learners and researchers: `Batch`, a lean `Env`, Gymnasium, PettingZoo, OpenSpiel."""
