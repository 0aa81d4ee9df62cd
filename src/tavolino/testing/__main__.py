"""`python -m tavolino.testing GAME …`: run all checks on games."""

import sys

from tavolino.testing import main

sys.exit(main(sys.argv[1:]))
