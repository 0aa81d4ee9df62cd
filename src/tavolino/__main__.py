"""`python -m tavolino` is the command `tavolino`."""

from tavolino.cli import main

main()
