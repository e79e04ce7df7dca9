"""The desk's files and the fonts, under an address that names their content."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from ui.components.desk.desk import assets_folder, assets_hash

SHARED = Path(__file__).resolve().parents[2] / "assets"
FOLDERS = ("fonts", "instructions")


class Immutable(StaticFiles):
    """Files whose address changes with their content, so that browsers keep them for good."""

    def file_response(self, *args: Any, **kwargs: Any) -> Any:
        """The file, to be cached for a year."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def assets_url() -> str:
    """Where the desk's files are served, ending in '/'; shared folders below it."""
    return f"/desk/assets/{_version()}/"


@cache
def _version() -> str:
    digest = hashlib.sha256(assets_hash().encode())
    for path in sorted(path for name in FOLDERS for path in (SHARED / name).iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def asset_routes() -> list[BaseRoute]:
    """The mounts for fonts, for pictures of instructions and for the desk's files."""
    return [
        *(Mount(assets_url() + name, Immutable(directory=SHARED / name)) for name in FOLDERS),
        Mount(assets_url().rstrip("/"), Immutable(directory=assets_folder())),
    ]
