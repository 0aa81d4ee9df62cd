"""Face to Face with hands of five cards instead of six."""

HAND = 5
