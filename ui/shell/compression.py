"""Compresses Streamlit's scripts and styles, which it sends as they are: 3 MB at first load."""

import gzip
from collections import OrderedDict
from threading import Lock

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDERS = ("/static/", "/desk/assets/")
TYPES = ("text/", "application/javascript", "application/json", "image/svg+xml")
SMALLEST_BYTES = 1_000
KEPT_BYTES = 48_000_000
LEVEL = 6


class Compressed:
    """Serves the same as another application, text of fixed files compressed.

    What was compressed is kept: the names of these files change with their content.
    """

    def __init__(self, app: ASGIApp):
        """Keep the application."""
        self.app = app
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if not _wanted(scope):
            await self.app(scope, receive, send)
            return
        start: Message = {}
        body = bytearray()

        async def collect(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if message["type"] != "http.response.body" or not _fits(start):
                if start:
                    await send(start)
                    start = {}
                await send(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                await self._send(scope, start, bytes(body), send)

        await self.app(scope, receive, collect)

    async def _send(self, scope: Scope, start: Message, body: bytes, send: Send) -> None:
        headers = MutableHeaders(scope=start)
        headers.add_vary_header("Accept-Encoding")
        if len(body) >= SMALLEST_BYTES:
            version = headers.get("etag") or headers.get("last-modified") or str(len(body))
            body = await run_in_threadpool(self._compressed, (scope["path"], version), body)
            headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(body))
        await send(start)
        await send({"type": "http.response.body", "body": body})

    def _compressed(self, key: tuple[str, str], body: bytes) -> bytes:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        small = gzip.compress(body, LEVEL, mtime=0)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = small
                self._bytes += len(small)
            while self._bytes > KEPT_BYTES:
                self._bytes -= len(self._kept.popitem(last=False)[1])
        return small


def _wanted(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    headers = Headers(scope=scope)
    return (
        scope["path"].startswith(FOLDERS)
        and "gzip" in headers.get("accept-encoding", "")
        and "range" not in headers
    )


def _fits(start: Message) -> bool:
    if not start or start["status"] != 200:
        return False
    headers = MutableHeaders(scope=start)
    return headers.get("content-type", "").startswith(TYPES) and "content-encoding" not in headers
