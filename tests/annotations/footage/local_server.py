"""A server on this machine that behaves as badly as those of the world."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ITEM = "<item><title>{title}</title><link>{link}</link><description>d</description></item>"


@dataclass
class LocalServer:
    """Where it is, which files it serves, and what was asked of it."""

    url: str
    files: dict[str, Path]
    feed: list[tuple[str, str]] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    refuse_feed: int = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: LocalServer

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        self.state.requests.append((path, self.headers.get("Range", "")))
        kind, _, name = path.strip("/").partition("/")
        if kind == "feed.rss":
            self._feed()
        elif kind == "status":
            self.send_error(int(name.split(".")[0]))
        elif kind == "to_file":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif kind == "html":
            self._send(b"<html><body>Sorry, sign in first.</body></html>", "video/mp4")
        elif kind == "empty":
            self._send(b"", "video/mp4")
        elif kind == "endless":
            self._endless()
        elif kind in ("video", "cut", "slow") and name in self.state.files:
            self._file(self.state.files[name], kind)
        else:
            self.send_error(404)

    def _feed(self) -> None:
        if self.state.refuse_feed:
            self.send_error(self.state.refuse_feed)
            return
        items = "".join(ITEM.format(title=title, link=link) for title, link in self.state.feed)
        head = '<?xml version="1.0"?><rss version="2.0"><channel><title>F</title>'
        text = f"{head}{items}</channel></rss>"
        self._send(text.encode(), "application/rss+xml")

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def _endless(self) -> None:
        """A reply that does not say how long it is and never ends."""
        self.send_response(200)
        self.send_header("Content-Type", "video/mp4")
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command == "HEAD":
            return
        try:
            for _ in range(2000):
                self.wfile.write(b"\0" * 65536)
                time.sleep(0.005)
        except OSError:
            pass

    def _file(self, path: Path, kind: str) -> None:
        content = path.read_bytes()
        start, end = 0, len(content) - 1
        asked = self.headers.get("Range", "")
        if asked.startswith("bytes="):
            first, _, last = asked[6:].partition("-")
            start, end = int(first or 0), int(last or end)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Type", "video/mp4")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start + 1))
        self.end_headers()
        if self.command == "HEAD":
            return
        part = content[start : end + 1]
        try:
            if kind == "cut":
                self.wfile.write(part[: len(part) // 3])
                self.close_connection = True
            elif kind == "slow":
                for at in range(0, len(part), 16384):
                    self.wfile.write(part[at : at + 16384])
                    time.sleep(0.2)
            else:
                self.wfile.write(part)
        except OSError:
            pass


@contextmanager
def local_server(files: dict[str, Path]) -> Iterator[LocalServer]:
    """The server while the block lasts."""
    handler = type("Bound", (Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    state = LocalServer(f"http://127.0.0.1:{server.server_port}", files)
    handler.state = state
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
