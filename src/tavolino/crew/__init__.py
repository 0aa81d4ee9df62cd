"""`tavolino.workers` under its first name, for programs written for version 0.1.0."""
