"""Bots against bots: matches on mirrored deals, ratings."""
