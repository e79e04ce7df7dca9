"""Connections that do not get on: cut off, so that nobody can heap them up.

uvicorn waits for the head of a request, for its body, and for whoever reads an answer as long as it
takes. Each holds an open file meanwhile, also of somebody who has no session. Its parser in C needs
a tenth of the time of the one in Python, but keeps whatever comes of a head: that is bounded too.
"""

import asyncio
import socket
from typing import ClassVar, cast

from uvicorn import config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_S = 15.0  # for the head of a request
BODY_S = 60.0  # for its body, and a second more for each `SLOWEST` bytes
SLOWEST = 2_000
STALLED_S = 300.0  # of an answer that nobody reads on; browsers ask for the rest of a video again
MOST_HEAD_BYTES = 65_536  # of a head, and of what stands between the parts of a body
CHUNK_COST = 8  # bytes that may come with each byte of a body that is sent in parts
MOST_WAITING = 512  # connections whose head has not come: beyond it the oldest is cut off


class Patient(HttpToolsProtocol):
    """Waits for requests and readers, but not without end."""

    waiting: ClassVar[dict["Patient", None]] = {}
    _timer: asyncio.TimerHandle | None = None
    _body_of: object = None
    _body_until = 0.0
    _is_stalled = _is_websocket = False
    _unread = 0  # bytes since the last whole head that were not of a body

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Begin to wait for the first head; send each part of an answer at once.

        Python sees to that itself, but not for connections to the listener that Streamlit opens:
        the head of an answer went alone, and its body waited 40 ms until the head was confirmed.
        """
        connection = cast("socket.socket | None", transport.get_extra_info("socket"))
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """See what is still to come."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > MOST_HEAD_BYTES and not self._is_websocket:
            self.cut_off()
        else:
            self._look(len(data))

    def on_headers_complete(self) -> None:
        """Count anew: this head is whole."""
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take off what was wanted."""
        self._unread = max(0, self._unread - CHUNK_COST * len(body))
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Leave it to uvicorn to close a connection that brings nothing more for 5 s."""
        super().on_response_complete()
        if self.cycle.response_complete and not self._is_stalled:
            self._stop()
        else:  # the next request was here already
            self._look()

    def handle_websocket_upgrade(self) -> None:
        """Wait no more: pings ask whether somebody is still there."""
        self._is_websocket = True
        self._stop()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for a reader."""
        super().pause_writing()
        self._is_stalled = True
        self._set(STALLED_S)

    def resume_writing(self) -> None:
        """Wait no more: they read on."""
        super().resume_writing()
        self._is_stalled = False
        self._look()

    def _look(self, count: int = 0) -> None:
        """Set the time by which more has to come; `count` bytes have come just now."""
        request = cast("RequestResponseCycle | None", self.cycle)
        if self._is_websocket or self._is_stalled:
            return
        if request is None or request.response_complete:
            self._wait_for_head()
        elif request.more_body:
            if self._body_of is not request:
                self._body_of, self._body_until = request, self.loop.time() + BODY_S
            self._body_until += count / SLOWEST
            self._set(self._body_until - self.loop.time())
        else:
            self._stop()

    def _wait_for_head(self) -> None:
        """Set the time once: what comes of a head byte by byte sets no new one."""
        if self in self.waiting:
            return
        self._set(HEAD_S)
        self.waiting[self] = None
        if len(self.waiting) > MOST_WAITING:
            next(iter(self.waiting)).cut_off()

    def _set(self, seconds: float) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, self.cut_off)

    def _stop(self) -> None:
        self.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def cut_off(self) -> None:
        """End the connection without another word."""
        self._stop()
        self.transport.abort()


def bound_connections() -> None:
    """Let uvicorn speak HTTP by this protocol, in servers that start from now on."""
    config.HTTP_PROTOCOLS["auto"] = f"{__name__}:{Patient.__name__}"
