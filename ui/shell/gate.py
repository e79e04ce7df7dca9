"""The gate before everything that is served: who may speak to which address, and from where.

It stands before Streamlit's own endpoints too, which know nothing of our sessions: its websocket,
uploads, kept files and measurements. What is let in gets the same headers everywhere.
"""

import ipaddress
import logging
import socket
import sqlite3
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotations.backup.database_errors import error_words
from annotations.people import Person, signed_in
from annotations.workspace import Workspace
from ui.access import AUTHORS, EVERYBODY, cookie_name, may
from ui.routes.plain_page import Reader
from ui.routes.sign_in import CALLBACK, Callback
from ui.shell.compression import Compressed
from ui.shell.door import door_html
from ui.shell.stand_ins import StandIns

LOG = logging.getLogger(__name__)
NOBODY = frozenset[str]()
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Beginnings of addresses, the first that fits counts: who may speak to them. None: everybody who
# reaches the server, since they hold nothing of the workspace or ask for themselves.
RULES: tuple[tuple[str, frozenset[str] | None], ...] = (
    ("/_stcore/health", None),
    ("/_stcore/metrics", AUTHORS),
    ("/_stcore/upload_file/", AUTHORS),
    ("/_stcore/agent/", NOBODY),  # drives pages without a browser; it is off besides
    ("/_stcore/", EVERYBODY),
    ("/media/", AUTHORS),
    ("/component/", EVERYBODY),
    ("/static/", None),
    ("/desk/assets/", None),
    ("/desk/", None),
    ("/join/", None),
    ("/leave", None),
    ("/recruit/", None),
    ("/sign-in", None),
    ("/auth/login", None),
    (CALLBACK, None),
    ("/favicon", None),
    ("/", EVERYBODY),
)
BROKEN = "Something in Rushes broke; its log says what. Reload this page in a moment."
# Asked by GET, and yet they change something.
CHANGING = ("/leave",)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Streamlit's page has scripts and styles in it, and its charts make functions of text.
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "media-src 'self' blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
}
UNSTORED = ("/media/", "/_stcore/", "/recruit/", "/sign-in", "/auth/", CALLBACK)
# The one page that another site may put into a frame: a link and a field, nothing of anybody.
FRAMED = "/recruit/frame/"


class Gate:
    """Lets requests through that may come in; the others are answered here."""

    def __init__(self, app: ASGIApp, workspace: Workspace):
        """Keep what is behind the gate, and whose it is."""
        self.app = StandIns(Compressed(app))
        self.workspace = workspace
        self.hosts = known_hosts(workspace.settings.url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or connection."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = self._from_elsewhere(scope, headers) or await self._without_access(scope)
        if answer is None:
            await self.app(scope, receive, self._with_headers(scope, send))
        elif scope["type"] == "websocket":
            LOG.info("a websocket at %s was not let in", scope["path"])
            await receive()
            await send({"type": "websocket.close", "code": 4403})
        else:
            await answer(scope, receive, self._with_headers(scope, send))

    def _from_elsewhere(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that another site sent, or that names another host."""
        host = headers.get("host", "")
        if not is_known(host, self.hosts):
            return PlainTextResponse(
                f"This server is not called {host[:100]!r}. If people are to reach it by this "
                "name, write it into rushes.toml: [server] url.",
                status_code=421,
            )
        changing = (
            scope["type"] == "websocket"
            or scope["method"] not in SAFE_METHODS
            or scope["path"].startswith(CHANGING)
        )
        if changing and not is_same_origin(headers, host):
            return PlainTextResponse("This was sent from a page of another site.", status_code=403)
        return None

    async def _without_access(self, scope: Scope) -> Response | None:
        """The answer to somebody who may not speak to this address; None if they may."""
        roles = roles_for(scope["path"])
        if roles is None:
            return None
        try:
            person = await self._person(scope)
        except sqlite3.Error as error:
            LOG.error("the database failed at %s: %s", scope["path"], error)
            return PlainTextResponse(f"{error_words(error) or BROKEN}\n", status_code=503)
        if may(person, roles):
            return None
        if person is None and scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            reader = Reader.of(HTTPConnection(scope))
            return reader.response(door_html(self.workspace, reader), 401)
        return PlainTextResponse("This is not for you.", status_code=403 if person else 401)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        added = encoded(headers_for(scope["path"], self.workspace.settings.turk_sites))
        names = {name for name, _ in added}
        callback = None
        if scope["path"] == CALLBACK:
            callback = Callback(scope["query_string"].decode("latin-1"))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = message.get("headers", ())
                message["headers"] = [*added, *(pair for pair in sent if pair[0] not in names)]
                headers = MutableHeaders(scope=message)
                if scope["path"].startswith(UNSTORED):
                    headers["Cache-Control"] = "no-store"
                if callback is not None and "location" in headers:
                    headers["location"] = callback.target(headers.getlist("set-cookie"))
            await send(message)

        return sending

    async def _person(self, scope: Scope) -> Person | None:
        session = HTTPConnection(scope).cookies.get(cookie_name(self.workspace))
        return await run_in_threadpool(signed_in, self.workspace, session)


def roles_for(path: str) -> frozenset[str] | None:
    """Return the roles that may speak to an address; None if it asks for itself."""
    # The name of a page ends in a part of Streamlit's own where the browser resolves it there.
    if (at := path.find("/_stcore/")) > 0:
        path = path[at:]
    return next((roles for start, roles in RULES if path.startswith(start)), EVERYBODY)


def known_hosts(url: str) -> frozenset[str]:
    """Return the names by which this server may be called; numbers are known besides.

    A page whose name somebody turned to this computer's number still asks by that name.
    """
    names = {"localhost", socket.gethostname().lower(), urlsplit(url).hostname or ""}
    return frozenset(filter(None, names))


@lru_cache(maxsize=256)
def is_known(host: str, names: frozenset[str]) -> bool:
    """Return whether a Host header is a number or one of the names, whatever its port."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_same_origin(headers: Headers, host: str) -> bool:
    """Return whether a request comes from a page of ours, or from no page at all.

    Another port of the same host is another site here, though browsers send our cookie from it.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


def encoded(headers: dict[str, str]) -> tuple[tuple[bytes, bytes], ...]:
    """Return headers as they are sent."""
    return _encoded(tuple(headers.items()))


@lru_cache(maxsize=64)
def _encoded(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((name.lower().encode(), value.encode("latin-1")) for name, value in headers)


def headers_for(path: str, frames: tuple[str, ...]) -> dict[str, str]:
    """Return the headers of an address; `frames` may hold and be sent what `FRAMED` shows."""
    if not path.startswith(FRAMED) or not frames:
        return HEADERS
    sites = " ".join(frames)
    policy = HEADERS["Content-Security-Policy"]
    policy = policy.replace("frame-ancestors 'none'", f"frame-ancestors {sites}")
    policy = policy.replace("form-action 'self'", f"form-action {sites}")
    framed = {**HEADERS, "Content-Security-Policy": policy}
    del framed["X-Frame-Options"]
    return framed
