"""What the environments compile: encoders of observations, steps of one game and of many."""
