"""A game between a person at the terminal and bots."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from tavolino.engine.registry import GAMES
from tavolino.play.advice import reasons_told
from tavolino.play.game import IllegalMove
from tavolino.play.records import replay
from tavolino.play.terminal import move_line, seat_names, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from tavolino.bots.players import Player
    from tavolino.play.game import Game

HINTS = 3
"""How many moves a hint shows."""
REASONS = 3
"""How many reasons it shows for each."""
HINT_SECONDS = 1.0


def ask(prompt: str) -> str:
    """Read a line from the terminal or a pipe; EOFError at its end."""
    return input(prompt).strip()


def choose_game(console: "Console") -> str | None:
    """Ask which game to play; None at the end of input or `quit`."""
    keys = list(GAMES)
    console.print("Which game would you like to play?")
    for number, key in enumerate(keys, 1):
        numbers = GAMES[key].people.PLAYERS
        players = f"{numbers[0]} players" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]} players"
        console.print(f"  {number}  {key:<14} {GAMES[key].title}, {players}")
    while True:
        try:
            answer = ask("game> ")
        except EOFError:
            print()
            return None
        if answer in ("quit", "q"):
            return None
        if answer in keys:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(keys):
            return keys[int(answer) - 1]
        console.print(f"Please type a number from 1 to {len(keys)}, a name from the list, or quit.")


def play_session(console: "Console", game: "Game", seat: int, others: "Mapping[int, Player]") -> None:
    """Play a game to its end; EOFError or KeyboardInterrupt when the person leaves."""
    from tavolino.bots.players import LEVELS
    from tavolino.bots.position import Limits, Position

    table = table_of(game.key)
    names = [
        f"{name} ({others[number].name})" if number in others else name
        for number, name in enumerate(seat_names(game.players, seat))
    ]
    console.print(Text(GAMES[game.key].title, "bold"))
    console.print(table.HOW)
    console.print("Type a move's number or its word, ? for a hint, or help.\n")
    shown = 0  # moves told so far
    while not game.over:
        mover = game.to_move
        if mover is not None and mover in others and not game.dice_typed:
            # From the seed and the number of moves: after `undo` the same move meets the same answer.
            limits = Limits(simulations=None if others[mover].name in LEVELS else 1000)
            game.play(others[mover].choose(Position(game, mover, f"{game.seed}/{len(game.moves)}", limits)))
            continue
        shown = _tell_new(console, game, names, shown)
        if not _one_move(console, game, seat, names):
            return
        shown = min(shown, len(game.moves))
    _tell_new(console, game, names, shown)
    console.print(table.picture([game.view(s) for s in range(game.players)], names))
    for sentence in table.ending(game.view(None), names):
        console.print(sentence)


def _tell_new(console: "Console", game: "Game", names: list[str], told: int) -> int:
    """Tell the moves since the last one told; return how many there are now."""
    moves, table = game.moves, table_of(game.key)
    if told < len(moves):
        before = replay({**game.record(), "moves": moves[:told], "scores": None, "winners": None})
        for word in moves[told:]:
            console.print(move_line(table, before.view(None), before.offer_of(word), names))
            before.play(word)
        console.print()
    return len(moves)


def _one_move(console: "Console", game: "Game", seat: int, names: list[str]) -> bool:
    """Show the table and ask until a move is made or taken back; False to leave."""
    console.print(table_of(game.key).picture([game.view(seat)], names))
    _list_moves(console, game)
    while True:
        answer = ask("move> ")
        if answer in ("quit", "q", "exit"):
            return False
        if answer in ("help", "h"):
            _help(console, game)
        elif answer in ("?", "hint"):
            _hint(console, game, seat)
        elif answer == "rules":
            from tavolino.cli.info import language, rules_of, show_rules

            show_rules(console, rules_of(game.key, language()))
        elif answer == "undo":
            if _take_back(game, seat):
                console.print("Taken back.")
                return True
            console.print("You have no move to take back.")
        elif answer:
            try:
                game.play(_word(game, answer))
            except IllegalMove as error:
                console.print(Text(f"Not possible: {error}", "red"))
            else:
                return True


def _word(game: "Game", answer: str) -> str:
    """Return the word that was meant: the answer itself, or the move with that number."""
    legal = game.legal_moves
    if answer.isdecimal() and not game.dice_typed:
        if 1 <= int(answer) <= len(legal):
            return legal[int(answer) - 1]
        raise IllegalMove(f"the moves are numbered from 1 to {len(legal)}")
    return answer


def _take_back(game: "Game", seat: int) -> bool:
    """Go back to before the last move of a seat."""
    if seat not in game.movers:
        return False
    last = max(i for i, mover in enumerate(game.movers) if mover == seat)
    while len(game.moves) > last:
        game.undo()
    return True


def _list_moves(console: "Console", game: "Game") -> None:
    """List the legal moves by number, with what they mean; where real dice are to roll, say what to type."""
    view, table = game.view(game.to_move), table_of(game.key)
    if game.dice_typed:
        console.print(f"For seat {game.to_move}: {table.meaning(view, game.offers[0])}")
        return
    offers = game.offers
    longest = max(len(offer["word"]) for offer in offers)
    entries = [
        Text(f"{i:>2} ", "dim")
        .append(f"{offer['word']:<{longest}} ", "bold not dim")
        .append(table.meaning(view, offer), "not dim")
        for i, offer in enumerate(offers, 1)
    ]
    columns = 2 if len(entries) > 6 and max(len(entry) for entry in entries) * 2 + 2 <= console.width else 1
    rows = -(-len(entries) // columns)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for row in range(rows):
        grid.add_row(*entries[row::rows])
    console.print(grid)


def _help(console: "Console", game: "Game") -> None:
    console.print(f"Moves are written {GAMES[game.key].people.NOTATION}.")
    console.print("Type the number of a listed move or its word. ? shows the best moves with your chance of winning.")
    console.print("Other commands: rules, undo, quit, and help for this text.")


def _hint(console: "Console", game: "Game", seat: int) -> None:
    """Show the best moves, the chance of winning with each, and why, from what the seat may know."""
    if game.dice_typed:
        console.print("The dice decide: roll them and type what fell.")
        return
    from tavolino.bots.advice import advise
    from tavolino.bots.position import Position
    from tavolino.cli.common import err
    from tavolino.cli.compiled import compiling

    compiling(err(), [game.key], "hint")
    table, view = table_of(game.key), game.view(seat)
    with console.status("thinking …"):
        found = advise(Position(game, seat, f"hint/{game.seed}/{len(game.moves)}"), HINT_SECONDS)
    names = seat_names(game.players, seat)
    for advice in found[:HINTS]:
        line = Text(f"{100 * advice.chance:5.1f} %  ", "bold").append(f"{advice.move:<10}  ", "bold")
        console.print(line.append(table.meaning(view, game.offer_of(advice.move)), "not bold"))
        for said in reasons_told(GAMES[game.key], advice.reasons, names)[:REASONS]:
            console.print(Text(" " * 9 + said, "dim"))
