"""A game as people handle it: moves as words, records, views, matches."""
