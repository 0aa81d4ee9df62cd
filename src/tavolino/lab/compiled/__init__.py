"""What the lab compiles: the judge of a game under review."""
