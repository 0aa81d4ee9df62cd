"""The WebSocket itself: uvicorn's, with a shortcut for the messages of a table.

With ASGI, every message in and out costs a dictionary, a queue, the wake-up of a task and a chain of calls through the
application, and needs tasks of its own that wait. Here an incoming message is passed to a function, and an outgoing one
is written to the socket; everything else (the handshake, pings, closing) stays with uvicorn.
"""

import contextlib
from typing import Protocol

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]  # the compiled one, if there is one

from tavolino.server.metrics import SENT

EXTENSION = "tavolino.wire"
"""Where the application finds the wire: in the `extensions` of its ASGI scope."""


class Receiver(Protocol):
    """What a wire is attached to."""

    def take(self, text: str | None) -> None:
        """Take a text that came; None for what is no text."""

    def flow(self, free: bool) -> None:
        """Hear that the socket takes no more to send, or does again."""

    def end(self) -> None:
        """Hear that the socket is closed."""


class Nobody:
    """Hears nothing."""

    def take(self, text: str | None) -> None: ...
    def flow(self, free: bool) -> None: ...
    def end(self) -> None: ...


class Wire(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that `attach` turns from ASGI messages to calls."""

    _receiver: Receiver | None = None
    _aligned = True
    """Whether all that came so far came in pieces that end where frames do."""

    def attach(self, receiver: Receiver) -> None:
        """From now on call `receiver` with what comes. The application may return: the socket lives on without it."""
        self._receiver = receiver
        while not self.queue.empty():  # what was said before its time
            event = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                receiver.take(event.get("text"))
        self.hold(False)

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
        SENT.messages += 1
        SENT.bytes += size
        self.transport.write(head + text)

    def hold(self, held: bool) -> None:
        """Read no more for now, or again."""
        if held is not self.read_paused and not self.transport.is_closing():
            self.read_paused = held
            if held:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    def close(self, code: int) -> None:
        """Say goodbye for a reason; what comes meanwhile is not heard."""

        async def goodbye() -> None:
            with contextlib.suppress(ClientDisconnected, RuntimeError):  # it is closed already
                await self.send({"type": "websocket.close", "code": code, "reason": ""})
                self._end_soon()

        self._let_go()
        task = self.loop.create_task(goodbye())
        self.tasks.add(task)
        task.add_done_callback(self.on_task_complete)

    def _let_go(self) -> None:
        if self._receiver is not None:
            receiver, self._receiver = self._receiver, Nobody()
            receiver.end()

    def _end_soon(self) -> None:
        """End the connection even if the other side reads nothing any more: closed, it would wait for that for ever."""
        self.loop.call_later(self.ping_timeout or self.close_timeout, self.transport.abort)

    # What uvicorn calls

    def keepalive_timeout(self) -> None:
        """Hear that a ping was not answered."""
        super().keepalive_timeout()
        self._let_go()
        self._end_soon()

    def data_received(self, data: bytes) -> None:
        """Read what came: a short text in a frame by itself, as nearly all are, here; all else in `websockets`."""
        size = len(data) - 6
        if size >= 0 and data[0] & 0x80 and data[1] == 0x80 | size and size < 126:  # RFC 6455, 5.2: final, masked
            if self._receiver is not None and self._aligned and data[0] == 0x81 and not self.close_sent:
                try:
                    text = apply_mask(data[6:], data[2:6]).decode()
                except UnicodeDecodeError:
                    pass  # dealt with there
                else:
                    self._receiver.take(text)
                    return
        elif self.handshake_complete or not data.endswith(b"\r\n\r\n"):
            self._aligned = False
        super().data_received(data)

    async def run_asgi(self) -> None:
        """Run the application, which finds us in its scope; the many layers it waits in are gone once it has."""
        self.scope["extensions"][EXTENSION] = {"wire": self}
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("a socket could not be opened")
            self.send_500_response()
        if self._receiver is not None:
            del self.scope, self.request, self.response  # the handshake is over, and there may be many of us
        elif self.close_timer is None:
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Take a whole message."""
        if self._receiver is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        try:
            text = data.decode() if self.curr_msg_data_type == "text" else None
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # which closes it
            return
        self.frames = []
        self._receiver.take(text)

    def pause_writing(self) -> None:
        """Hear that much waits to be sent."""
        super().pause_writing()
        if self._receiver is not None:
            self._receiver.flow(False)

    def resume_writing(self) -> None:
        """Hear that it was sent."""
        super().resume_writing()
        if self._receiver is not None:
            self._receiver.flow(True)

    def handle_close(self, event: Frame) -> None:
        """Hear goodbye."""
        super().handle_close(event)
        self._let_go()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hear that nobody is there any more."""
        super().connection_lost(exc)
        self._let_go()
