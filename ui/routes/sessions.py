"""Sessions: the cookie that an invite link sets, and the person it belongs to."""

import json
import re
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from annotations.access import end_session
from annotations.people import SESSION_S, Person, accept_invite, signed_in
from annotations.workspace import Workspace
from ui.access import cookie_name
from ui.routes.plain_page import Reader

NOT_VALID = (
    "This invite link is not valid, or a newer one has replaced it. Ask whoever invited you for a "
    "new link."
)
ENDED = "Your session has ended. Open your invite link again; your answers are kept."


async def person_of(workspace: Workspace, request: Request) -> Person | None:
    """The signed-in person behind a request."""
    session = request.cookies.get(cookie_name(workspace))
    return await run_in_threadpool(signed_in, workspace, session)


class Escaped(JSONResponse):
    """JSON in ASCII: text that was stored with half a surrogate pair can be sent all the same."""

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def refusal(status: int, message: str) -> Escaped:
    """Return an error that the desk shows to a person."""
    return Escaped({"error": message}, status_code=status)


def _page(name: str) -> str:
    """Return a page of ours that an invite link leads to; '' for anything else."""
    return name if re.fullmatch(r"[a-z_]{1,40}", name) else ""


def session_routes(workspace: Workspace) -> list[Route]:
    """`/join/TOKEN` signs in, `/leave` signs out."""

    async def join(request: Request) -> Response:
        accepted = await run_in_threadpool(accept_invite, workspace, request.path_params["token"])
        if accepted is None:
            reader = Reader.of(request)
            return reader.response(reader.message("Not signed in", NOT_VALID), 403)
        response = RedirectResponse("/" + _page(request.query_params.get("to", "")), 303)
        response.set_cookie(
            cookie_name(workspace),
            accepted[1],
            max_age=SESSION_S,
            httponly=True,
            samesite="lax",
            secure=workspace.settings.url.startswith("https:") or request.url.scheme == "https",
        )
        return response

    async def leave(request: Request) -> Response:
        session = request.cookies.get(cookie_name(workspace))
        if session:
            await run_in_threadpool(end_session, workspace, session)
        response = RedirectResponse("/", 303)
        response.delete_cookie(cookie_name(workspace))
        return response

    return [Route("/join/{token}", join), Route("/leave", leave)]
