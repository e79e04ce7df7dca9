"""Media for people who may see it: signed addresses that end, byte ranges, long caching."""

import hashlib
import hmac
import re
import time
from collections.abc import Sequence
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from annotations.media import SHA256
from annotations.people import Person, signed_in
from annotations.record.stage import Grid
from annotations.video.frame_images import frame_at
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.access import cookie_name
from ui.routes.sessions import ENDED, refusal

DAY_S = 24 * 3600
AT_ONCE_BYTES = 2_000_000
TICKET = re.compile(
    r"(?P<expiry>[0-9]{1,12})-(?P<signature>[0-9a-f]{36})(-(?P<first>[0-9]{1,8})-(?P<last>[0-9]{1,8}))?"
)
FRAME = re.compile(r"frames/(0|[1-9][0-9]{0,7})\.jpg")
SMALL = re.compile(r"small/([0-9]{1,8}(?:-[0-9]{1,8}){0,15})\.jpg")
TYPES = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/mp4",
    ".webm": "video/webm",
    ".jpg": "image/jpeg",
}


def address(workspace: Workspace, person: Person, sha256: str, name: str) -> str:
    """Return the address of one of a video's files for one person.

    It opens this file alone: what a condition does not show has no address. It ends after one to
    two days; within a day it stays the same, so that browsers cache it.
    """
    expiry = _expiry()
    signature = _signature(workspace, person, sha256, name, expiry)
    return f"/desk/media/{expiry}-{signature}/{sha256}/{name}"


def small_sheet_address(
    workspace: Workspace, person: Person, sha256: str, frames: Sequence[int]
) -> str:
    """Return the address of a small sheet of at most 16 frames for one person."""
    return address(workspace, person, sha256, f"small/{'-'.join(map(str, frames))}.jpg")


def frames_address(workspace: Workspace, person: Person, sha256: str, first: int, last: int) -> str:
    """Return the address of every frame of a clip for one person, with {index} to fill in.

    It opens the frames from the first to the last one.
    """
    expiry, name = _expiry(), f"frames/{first}-{last}"
    signature = _signature(workspace, person, sha256, name, expiry)
    return f"/desk/media/{expiry}-{signature}-{first}-{last}/{sha256}/frames/{{index}}.jpg"


def _expiry() -> int:
    return (int(time.time()) // DAY_S + 2) * DAY_S


def _signature(workspace: Workspace, person: Person, sha256: str, name: str, expiry: int) -> str:
    text = f"media/{person.id}/{expiry}/{sha256}/{name}".encode()
    return hmac.digest(workspace.secret.encode(), text, hashlib.sha256)[:18].hex()


def _allowed(workspace: Workspace, person: Person, sha256: str, name: str, ticket: str) -> bool:
    match = TICKET.fullmatch(ticket)
    if match is None or int(match["expiry"]) < time.time():
        return False
    signed = name
    if match["first"] is not None:
        frame = FRAME.fullmatch(name)
        if frame is None or not int(match["first"]) <= int(frame[1]) <= int(match["last"]):
            return False
        signed = f"frames/{match['first']}-{match['last']}"
    wanted = _signature(workspace, person, sha256, signed, int(match["expiry"]))
    return hmac.compare_digest(match["signature"], wanted)


def _file(path: Path, *, whole: bool) -> Response:
    """Return a file; a picture is read at once, by the thread that found it."""
    try:
        status = path.stat()
        file = FileResponse(
            path,
            media_type=TYPES.get(path.suffix, "application/octet-stream"),
            headers={
                "Cache-Control": f"private, max-age={DAY_S}, immutable",
                "X-Content-Type-Options": "nosniff",
            },
            stat_result=status,
        )
        if not whole or status.st_size > AT_ONCE_BYTES:
            return file
        return Response(path.read_bytes(), headers=dict(file.headers))
    except FileNotFoundError:  # taken away at this moment
        return refusal(404, "This file is not in the workspace any more.")


def media_routes(workspace: Workspace, preparer: Preparer) -> list[Route]:
    """`/desk/media/TICKET/SHA256/NAME`: `player`, and JPEGs of `frames/`, `thumbs/`, `sheets/`."""

    def find(sha256: str, name: str) -> Path | None:
        media = workspace.media
        if name == "player":
            return media.playable(sha256)
        if match := re.fullmatch(r"sheets/([0-9a-f]{16})\.jpg", name):
            return media.folder(sha256) / "sheets" / f"{match[1]}.jpg"
        if match := re.fullmatch(r"sheets/([0-9a-f]{16})/([0-9]{1,4})\.jpg", name):
            index = frame_at(media, sha256, match[1], int(match[2]))
            name = "" if index is None else f"frames/{index}.jpg"
        if match := FRAME.fullmatch(name):
            path = media.frame(sha256, int(match[1]))
            if not path.exists():
                preparer.ensure(Grid(sha256, (int(match[1]),), (0.0,)))
            return path
        if match := SMALL.fullmatch(name):
            frames = tuple(map(int, match[1].split("-")))
            path = media.small_sheet(sha256, frames)
            if not path.exists():
                preparer.ensure_small(sha256, frames)
            return path
        if match := re.fullmatch(r"thumbs/([0-9]{1,8})\.jpg", name):
            path = media.thumb(sha256, int(match[1]))
            if not path.exists():
                preparer.ensure_thumb(sha256, int(match[1]))
            return path
        return None

    def found(request: Request) -> Response:
        person = signed_in(workspace, request.cookies.get(cookie_name(workspace)))
        if person is None:
            return refusal(401, ENDED)
        sha256, ticket = request.path_params["sha256"], request.path_params["ticket"]
        name = request.path_params["name"]
        if not SHA256.fullmatch(sha256) or not _allowed(workspace, person, sha256, name, ticket):
            return refusal(403, "This address has ended. Reload the page.")
        path = find(sha256, name)
        if path is None or not path.exists():
            return refusal(404, "This file is not in the workspace any more.")
        return _file(path, whole=request.method == "GET" and "range" not in request.headers)

    async def media(request: Request) -> Response:
        return await run_in_threadpool(found, request)

    return [Route("/desk/media/{ticket}/{sha256}/{name:path}", media)]
