"""Signing in through an organisation: Streamlit's own OpenID Connect, mapped to people here.

`st.login` leads a browser to `/auth/login`, and Streamlit's callback keeps what the provider says
in a signed cookie. The gate lets nobody run a page who is not signed in here, so the door leads to
the same address; the callback comes back to `/sign-in/done`, which makes a session of ours of the
cookie and deletes it.
"""

import json
import logging
import tomllib
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from streamlit import auth_util
from streamlit.web.server.starlette import starlette_auth_routes as streamlit_routes
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME as USER

from annotations.organisation.sign_in_people import SESSION_S, let_in
from annotations.reading.sign_in_settings import SignIn
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import cookie_name
from ui.routes.plain_page import Reader

DONE, FAILED = "/sign-in/done", "/sign-in/failed"
CALLBACK = "/oauth2callback"
REQUIRED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
NOT_SIGNED_IN = {
    "denied": "Nobody was signed in: {name} says that it was cancelled or not allowed.",
    "replayed": "Nobody was signed in: the reply of {name} was opened twice, or in another browser "
    "than the one that asked for it. Open this server's first page and sign in again.",
    "expired": "Nobody was signed in: the reply of {name} came too late, it has expired. Open this "
    "server's first page and sign in again. If it happens again, tell whoever runs this server: "
    "its clock may be wrong.",
    "audience": "Nobody was signed in: the reply of {name} was not meant for this server. Tell "
    "whoever runs this server.",
    "": "Nobody was signed in: the reply of {name} could not be used. Open this server's first "
    "page and sign in again. If it happens again, tell whoever runs this server: its log says why.",
}
# What Authlib raises for a token, as Streamlit logs it.
TROUBLES = {
    "ExpiredTokenError": "expired",
    "InvalidClaimError": "audience",
    "MissingClaimError": "audience",
    "MismatchingStateError": "replayed",
}
OFF = "This server has no sign-in of an organisation. Open the invite link that you were sent."


def secrets_file(workspace: Workspace, sign_in: SignIn) -> Path:
    """Return where Streamlit's secrets lie; a relative path is below the workspace."""
    return workspace.root / Path(sign_in.secrets).expanduser()


def auth_section(workspace: Workspace, sign_in: SignIn) -> dict[str, Any]:
    """Return the section [auth] of Streamlit's secrets file.

    Raises:
        Refusal: if it cannot be used, or Authlib is not installed; says what is absent.
    """
    path = secrets_file(workspace, sign_in)
    where = f"rushes.toml names {path} for [sign_in] secrets"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refusal(f"{where}, which cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{where}, which is not valid TOML: {error}") from error
    section = table.get("auth")
    values = cast("dict[str, Any]", section) if isinstance(section, dict) else {}
    absent = [name for name in REQUIRED if not isinstance(values.get(name), str)]
    if absent:
        raise Refusal(f"{where}, whose section [auth] lacks {', '.join(absent)}.")
    if not values["redirect_uri"].endswith(CALLBACK):
        raise Refusal(f"{where}, whose redirect_uri has to end with {CALLBACK}.")
    if find_spec("authlib") is None:
        raise Refusal("Signing in needs Authlib: pip install -e '.[sign-in]'")
    return values


def sign_in_routes(workspace: Workspace) -> list[Route]:
    """`/sign-in` leads to the provider, `/sign-in/done` comes from it."""

    async def begin(request: Request) -> Response:
        if workspace.settings.sign_in is None:
            return _off(request)
        return RedirectResponse(
            f"/auth/login?provider={auth_util.encode_provider_token('default')}", 303
        )

    async def done(request: Request) -> Response:
        sign_in = workspace.settings.sign_in
        told = None if sign_in is None else _told(request)
        if sign_in is None or told is None:
            return RedirectResponse(FAILED, 303)
        try:
            client = auth_section(workspace, sign_in)["client_id"]
            _, session = await run_in_threadpool(let_in, workspace, sign_in, told, client)
        except Refusal as error:
            reader = Reader.of(request)
            return _forget(reader.response(reader.refused(error), 403), request)
        response = RedirectResponse("/", 303)
        response.set_cookie(
            cookie_name(workspace), session, max_age=SESSION_S, httponly=True, samesite="lax",
            secure=workspace.settings.url.startswith("https:") or request.url.scheme == "https",
        )  # fmt: skip
        return _forget(response, request)

    async def failed(request: Request) -> Response:
        sign_in = workspace.settings.sign_in
        if sign_in is None:
            return _off(request)
        why = request.query_params.get("why", "")
        words = NOT_SIGNED_IN.get(why, NOT_SIGNED_IN[""])
        reader = Reader.of(request)
        page = reader.message("Not signed in", words, name=sign_in.name)
        return _forget(reader.response(page, 401), request)

    return [
        Route("/sign-in", begin, methods=["GET"]),
        Route(DONE, done, methods=["GET"]),
        Route(FAILED, failed, methods=["GET"]),
    ]


def _off(request: Request) -> Response:
    reader = Reader.of(request)
    return reader.response(reader.message("No sign-in", OFF), 404)


def _told(request: Request) -> dict[str, Any] | None:
    """What Streamlit's signed cookie holds of the provider's claims; None without one."""
    kept = streamlit_routes._get_cookie_value_from_request(request, USER)  # pyright: ignore[reportPrivateUsage]
    return None if kept is None else cast("dict[str, Any]", json.loads(kept))


def _forget(response: Response, request: Request) -> Response:
    """Delete Streamlit's cookies: from here on a session of ours says who is here."""
    for name in request.cookies:
        if name.startswith(USER):
            response.delete_cookie(name)
    return response


class Callback:
    """One visit to Streamlit's callback, which says in its log alone why nobody was signed in."""

    def __init__(self, query: str):
        """Begin to listen; `query` is that of the callback's address."""
        self.why = "denied" if "error=" in query else ""
        _VISIT.set(self)

    def target(self, cookies: list[str]) -> str:
        """Return where it leads to, by whether it kept who has signed in."""
        if any(cookie.startswith(f"{USER}=") and not _is_deletion(cookie) for cookie in cookies):
            return DONE
        return f"{FAILED}?why={self.why}" if self.why else FAILED


_VISIT: ContextVar[Callback | None] = ContextVar("visit", default=None)


class _Listening(logging.Handler):
    """Notes for the visit in whose course something is logged why it came to nothing."""

    def emit(self, record: logging.LogRecord) -> None:
        visit = _VISIT.get()
        if visit is None or visit.why:
            return
        error = record.exc_info[1] if record.exc_info else None
        # Without an error the state of the reply was not one that this browser had asked with.
        visit.why = "replayed" if error is None else TROUBLES.get(type(error).__name__, "")


streamlit_routes._LOGGER.addHandler(_Listening(logging.WARNING))  # pyright: ignore[reportPrivateUsage]


def _is_deletion(cookie: str) -> bool:
    return "max-age=0" in cookie.lower() or cookie.partition("=")[2].startswith(('""', ";"))
