"""The outgoing side of a WebSocket: straight to the socket; a client that does not read gets a new snapshot later."""

from collections import deque
from collections.abc import Callable

import msgspec

from tavolino.server.messages import Accepted, Hinted, Outgoing, Refused

MAX_WAITING = 64
"""How many messages may wait for a slow client before they are replaced by one snapshot."""

encoded = msgspec.json.Encoder().encode
"""Return a message as it goes over the wire."""


class Connection:
    """A person's (or spectator's) socket at a table."""

    __slots__ = (
        "_behind",
        "_free",
        "_owed",
        "_snapshot",
        "_waiting",
        "_write",
        "address",
        "device",
        "greeted",
        "hang_up",
        "looking",
        "screen",
        "who",
    )

    def __init__(
        self,
        who: str,
        write: Callable[[bytes], None],
        snapshot: Callable[[], bytes],
        address: str = "",
        device: str = "",
        hang_up: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Connect; `write` sends a message, `snapshot` makes the one that replaces all that were dropped."""
        self.who = who
        self.address = address
        """The address it comes from, as limits count it."""
        self.device = device
        """The hash of the cookie that it came with."""
        self.hang_up = hang_up
        """Closes the socket, with a code of WebSocket."""
        self.looking: int | None = None
        """Pass and play: the seat that looked last."""
        self.screen = False
        """Whether it is a big screen, which everyone in the room sees."""
        self.greeted = False
        self._write = write
        self._snapshot = snapshot
        self._free = True
        self._waiting: deque[tuple[bytes, Outgoing | None]] | None = None
        """What could not be sent yet; created when needed, which is rare."""
        self._behind = False
        self._owed: list[Outgoing] = []
        """Answers that were dropped with the rest: nobody must wait for an answer for ever."""

    def close(self) -> None:
        """Send nothing any more, and release the writer."""
        self._write, self._snapshot, self.hang_up = lambda _: None, lambda: b"", lambda _: None
        self._waiting = None

    def become_screen(self) -> None:
        """Be a big screen from now on: nobody's, so that it is shown nothing that only a seat may see."""
        self.screen, self.who = True, ""

    @property
    def lost(self) -> bool:
        """Whether it keeps asking and never reads an answer: then it is disconnected."""
        return len(self._owed) > MAX_WAITING

    def put(self, text: bytes, answer: Outgoing | None = None) -> None:
        """Send a message, now or when the socket is free; `answer` is what must be sent even if it is dropped."""
        if self._free and not self._waiting:
            self._write(text)
            return
        if self._waiting is None:
            self._waiting = deque()
        if len(self._waiting) >= MAX_WAITING:
            self._owed += [owed for _, owed in self._waiting if owed is not None]
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append((text, answer))
        elif answer is not None and not self.lost:
            self._owed.append(answer)

    def say(self, message: Outgoing) -> None:
        """Send a message that is for this connection only."""
        self.put(encoded(message), message if isinstance(message, (Refused, Accepted, Hinted)) else None)

    def flow(self, free: bool) -> None:
        """Note that the socket is full, or ready again; then send what waits."""
        self._free = free
        while self._free and (self._waiting or self._behind):
            if self._behind:
                self._behind = False
                owed, self._owed = self._owed, []
                for text in (self._snapshot(), *map(encoded, owed)):
                    self._write(text)
            elif self._waiting:
                self._write(self._waiting.popleft()[0])
