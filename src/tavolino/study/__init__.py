"""Studying the games: simulations by the million."""
