"""What knows no game: compiling, dispatch, kernels, random streams, the contract of a game and the registry."""
