"""Media for people who may see it: signed addresses that end, byte ranges, long caching."""

import hashlib
import hmac
import re
import time
from base64 import urlsafe_b64encode
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from annotations.media import SHA256
from annotations.people import Person
from annotations.task import Grid
from annotations.video.frame_images import Preparer
from annotations.workspace import Workspace
from ui.routes.sessions import ENDED, person_of, refusal

DAY_S = 24 * 3600
TYPES = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/mp4",
    ".webm": "video/webm",
    ".jpg": "image/jpeg",
}


def address(workspace: Workspace, person: Person, sha256: str, name: str) -> str:
    """The address of one of a video's files for one person.

    It ends after one to two days; within a day it stays the same, so that browsers cache it.
    """
    expiry = (int(time.time()) // DAY_S + 2) * DAY_S
    return f"/desk/media/{expiry}-{_signature(workspace, person, sha256, expiry)}/{sha256}/{name}"


def _signature(workspace: Workspace, person: Person, sha256: str, expiry: int) -> str:
    text = f"media/{person.id}/{expiry}/{sha256}".encode()
    return (
        urlsafe_b64encode(hmac.digest(workspace.secret.encode(), text, hashlib.sha256)[:18])
    ).decode()


def _allowed(workspace: Workspace, person: Person, sha256: str, ticket: str) -> bool:
    expiry, _, signature = ticket.partition("-")
    if not expiry.isdecimal() or len(expiry) > 12 or int(expiry) < time.time():
        return False
    wanted = _signature(workspace, person, sha256, int(expiry))
    return hmac.compare_digest(signature.encode(), wanted.encode())


def media_routes(workspace: Workspace, preparer: Preparer) -> list[Route]:
    """`/desk/media/TICKET/SHA256/NAME`: `player`, and JPEGs of `frames/`, `thumbs/`, `sheets/`."""

    def find(sha256: str, name: str) -> Path | None:
        media = workspace.media
        if name == "player":
            return media.playable(sha256)
        if match := re.fullmatch(r"sheets/([0-9a-f]{16})\.jpg", name):
            return media.folder(sha256) / "sheets" / f"{match[1]}.jpg"
        if match := re.fullmatch(r"frames/(\d{1,8})\.jpg", name):
            path = media.frame(sha256, int(match[1]))
            if not path.exists():
                preparer.ensure(Grid(sha256, (int(match[1]),), (0.0,)))
            return path
        if match := re.fullmatch(r"thumbs/(\d{1,8})\.jpg", name):
            path = media.thumb(sha256, int(match[1]))
            if not path.exists():
                preparer.ensure_thumb(sha256, int(match[1]))
            return path
        return None

    async def media(request: Request) -> Response:
        person = await person_of(workspace, request)
        if person is None:
            return refusal(401, ENDED)
        sha256, ticket = request.path_params["sha256"], request.path_params["ticket"]
        if not SHA256.fullmatch(sha256) or not _allowed(workspace, person, sha256, ticket):
            return refusal(403, "This address has ended. Reload the page.")
        path = await run_in_threadpool(find, sha256, request.path_params["name"])
        if path is None or not path.exists():
            return refusal(404, "This file is not in the workspace any more.")
        return FileResponse(
            path,
            media_type=TYPES.get(path.suffix, "application/octet-stream"),
            headers={
                "Cache-Control": f"private, max-age={DAY_S}, immutable",
                "X-Content-Type-Options": "nosniff",
            },
        )

    return [Route("/desk/media/{ticket}/{sha256}/{name:path}", media)]
