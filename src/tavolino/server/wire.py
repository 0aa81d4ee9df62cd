"""The WebSocket itself: uvicorn's, with a short way for what is said at a table.

As ASGI has it, every message in and out costs a dictionary, a queue, a wake of a task and a chain of calls through the
application, and each needs tasks of its own that wait. Here a message that came is handed to a function, and one to
send is written to the socket; all else (the handshake, pings, closing) stays with uvicorn.
"""

from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "tavolino.wire"
"""Where the application finds the wire: among the `extensions` of its ASGI scope."""


class Wire(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that `attach` turns from ASGI messages to calls."""

    _take: Callable[[str | None], None] | None = None
    _flow: Callable[[bool], None] | None = None

    def attach(self, take: Callable[[str | None], None], flow: Callable[[bool], None]) -> None:
        """From now on call `take` with each text that comes, None for what is no text; ASGI tells only of the end.

        `flow` is told when the socket takes no more to send (False) and when it does again (True).
        """
        self._take = take
        self._flow = flow

    def write(self, text: bytes) -> None:
        """Send a text; nothing happens if the socket is closed or closing."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        size = len(text)  # a frame as RFC 6455, 5.2 has it: the last of its message, text, unmasked
        if size < 126:
            head = bytes((0x81, size))
        elif size < 65536:
            head = b"\x81\x7e" + size.to_bytes(2)
        else:
            head = b"\x81\x7f" + size.to_bytes(8)
        self.transport.write(head + text)

    def hold(self, held: bool) -> None:
        """Read no more for now, or again."""
        if held is not self.read_paused and not self.transport.is_closing():
            self.read_paused = held
            if held:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    # What uvicorn calls

    async def run_asgi(self) -> None:
        """Run the application, which finds us in its scope."""
        self.scope["extensions"][EXTENSION] = {"wire": self}
        await super().run_asgi()

    def send_receive_event_to_app(self) -> None:
        """Take a whole message."""
        if self._take is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        try:
            text = data.decode() if self.curr_msg_data_type == "text" else None
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # which closes it
            return
        self.frames = []
        self._take(text)

    def pause_writing(self) -> None:
        """Hear that much waits to be sent."""
        super().pause_writing()
        if self._flow is not None:
            self._flow(False)

    def resume_writing(self) -> None:
        """Hear that it was sent."""
        super().resume_writing()
        if self._flow is not None:
            self._flow(True)
