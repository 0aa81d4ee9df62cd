"""Liar's Dice as people handle it: words, deals, views, offers, events and refusals, in plain Python."""

from math import comb
from typing import Any

from liars_dice.rules import DICE, FACES, LIAR, ROLLED, SEATS, THROWS
from tavolino.engine.contract import Event, Offer, Plain, Refusal, View
from tavolino.engine.plain import whole_number
from tavolino.engine.ready_made import deal_of_digits, offers_from, settled_by_chance, slip_like

TITLE = "Liar's Dice"
PLAYERS = (2, 3, 4)
MATCH_ADDS = "wins"
ENDINGS = ("only one player has dice left",)
OPTIONS = (whole_number("dice", DICE, 1, DICE),)
WORDS = {8 * number + face: f"{number}x{face}" for number in range(1, SEATS * DICE + 2) for face in range(1, FACES + 1)}
WORDS |= {LIAR: "liar"} | {ROLLED + face: f"open:{face}" for face in range(1, FACES + 1)}
NOTATION = "3x5 (at least three dice show a five), liar"

read_deal, write_deal, deal_behind = deal_of_digits("throws", (SEATS, THROWS), FACES, dice="dice")
settled = settled_by_chance  # dice were thrown or shown
slip = slip_like(r"\d+x\d+", Refusal(("L1.1", "L2.2"), "no_such_bid"))


def _bid(bid: int) -> dict[str, int]:
    return {"number": bid // 8, "face": bid % 8}


def _hands(t: Plain, rows: Any) -> list[list[int]]:
    return [[face for face in hand if face] for hand in rows[: t.seats]]


def open_view(t: Plain) -> View:
    bid = {**_bid(t.bid), "seat": t.bidder} if t.bid else None
    last = {"there": t.there, "hands": _hands(t, t.shown)} if any(map(any, t.shown)) else None
    return {"open": t.open or None, "bid": bid, "dice": list(t.dice[: t.seats]), "last_round": last}


def own_view(t: Plain, seat: int | None) -> View:
    return {"hand": None if seat is None or t.over else _hands(t, t.hand)[seat]}


def _odds(t: Plain, bid: int) -> int:
    """Return the chance in per cent that a bid holds, by what the seat to move sees and nothing else."""
    number, face = divmod(bid, 8)
    mine = t.hand[t.player].count(face) + (t.open == face)
    unseen: int = sum(t.dice) - t.dice[t.player]
    ways: int = sum(comb(unseen, k) * (FACES - 1) ** (unseen - k) for k in range(max(0, number - mine), unseen + 1))
    return round(100 * ways / float(FACES**unseen))


def _offer(t: Plain, action: int) -> Offer:
    if action == LIAR:
        return {"verb": "doubt", "of": t.bidder, "chance": 100 - _odds(t, t.bid)}
    return {"verb": "bid", **_bid(action), "chance": _odds(t, action)}


offers = offers_from(WORDS, _offer)


def happened(b: Plain, word: str, a: Plain) -> list[Event]:
    events: list[Event] = []
    if word.startswith("open:"):
        events.append({"type": "open_die_thrown", "face": a.open})
    elif word != "liar":
        events.append({"type": "bid_made", "seat": b.player, **_bid(a.bid)})
    else:
        loser = next(seat for seat in range(b.seats) if a.dice[seat] < b.dice[seat])
        events.append({"type": "bid_doubted", "seat": b.player, "of": b.bidder, **_bid(b.bid)})
        events.append({"type": "dice_shown", "hands": _hands(b, b.hand), "there": a.there})
        events.append({"type": "die_lost", "seat": loser, "left": a.dice[loser]})
        for seat, hand in enumerate([] if a.over else _hands(a, a.hand)):
            if hand:
                events.append({"type": "dice_thrown", "seat": seat, "secret": {"seat": seat, "hand": hand}})
    return [*events, {"type": "turn_began", "seat": a.player}] if a.player >= 0 else events


def why_not(t: Plain, word: str) -> Refusal:
    if word.startswith("open:"):
        return Refusal(("L2.1",), "open_die_lies")
    if t.player < 0:
        return Refusal(("L2.1",), "open_die_first")
    if word == "liar":
        return Refusal(("L2.3",), "nothing_to_doubt")
    dice = sum(t.dice) + 1
    if int(word.partition("x")[0]) > dice:
        return Refusal(("L2.2",), "too_many_dice", {"dice": dice})
    return Refusal(("L2.2",), "not_higher", {"bid": WORDS[t.bid]})
