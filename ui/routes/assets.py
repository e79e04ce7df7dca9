"""The desk's files and the fonts, under an address that names their content."""

from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from ui.components.desk.desk import assets_folder, assets_hash

FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"


class Immutable(StaticFiles):
    """Files whose address changes with their content, so that browsers keep them for good."""

    def file_response(self, *args: Any, **kwargs: Any) -> Any:
        """The file, to be cached for a year."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def assets_url() -> str:
    """Where the desk's files are served, ending in '/'; the fonts in `fonts/` below it."""
    return f"/desk/assets/{assets_hash()}/"


def asset_routes() -> list[BaseRoute]:
    """The mounts for fonts and for the desk's files."""
    return [
        Mount(assets_url() + "fonts", Immutable(directory=FONTS)),
        Mount(assets_url().rstrip("/"), Immutable(directory=assets_folder())),
    ]
