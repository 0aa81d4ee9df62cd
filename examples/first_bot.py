"""A first player of your own, for Orma: `tavolino arena orma --bots random,examples/first_bot.py --games 200`."""


def choose(view, legal_moves):
    """Lay where it brings the most points; close a long row that I cannot lengthen; in other games the first move."""
    if view["game"] != "orma":
        return legal_moves[0]

    def worth(move):
        if "@" not in move:
            return 0.5 if move == "draw" else 0.0  # keep, pass
        colour, place = move.split("@")
        if place.startswith("b"):
            return 1.0  # a new row: 1 point, and everybody may go on with it
        row = view["rows"][int(place[1:])]
        if colour == "black":
            return 0.0 if view["hand"][row["colour"]] else row["length"] / 2  # what others would get
        return row["length"] + 1.0  # what the rules give

    return max(legal_moves, key=worth)
