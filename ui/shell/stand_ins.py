"""What stands in for three of Streamlit's files: its first page and two fonts.

Until our settings arrive its page is drawn in a font of 170 kB that we use nowhere: it gets ours,
which comes anyway. Its font of icons holds 4,000 (375 kB), of which we use some 200. And its page
lets scripts ask another site for the icon of a tab: ours has an icon of its own, so that nobody
outside learns who looks at what.
"""

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from ui.routes.assets import assets_url
from ui.shell.app_pages import PAGES
from ui.theme import FONT_FILES

START = "/start"  # typed by hand; Streamlit knows the first page by "/" alone
STATIC = Path(get_static_dir())
ICONS = Path(__file__).resolve().parents[2] / "assets" / "fonts" / "material-symbols-used.woff2"
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
    '<text y=".9em" font-size="90">🎬</text></svg>'
)
TAB_ICON = f'<link rel="icon" href="data:image/svg+xml,{quote(DRAWING)}">'
# Scripts look for exactly this link, and change the icon of a tab only where they find it.
_THEIR_ICON = re.compile(r'<link rel="shortcut icon"[^>]*>')
_THEIR_FONT = re.compile(r'<link\s+rel="preload"[^>]*as="font"[^>]*>')
_AGENT = re.compile(r'<link rel="service-desc"[^>]*>')


@dataclass(frozen=True)
class _File:
    content: bytes
    media_type: str
    compressed: bytes = b""

    @property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'


class StandIns:
    """Serves the same as another application, but for these files."""

    def __init__(self, app: ASGIApp):
        """Read the files, and keep the application."""
        self.app = app
        page = front_page(STATIC.joinpath("index.html").read_text(encoding="utf-8")).encode()
        front = _File(page, "text/html; charset=utf-8", gzip.compress(page, mtime=0))
        self._files = dict.fromkeys(("/", *(f"/{name}" for name in PAGES)), front)
        self._files[_address(icon_font())] = _File(ICONS.read_bytes(), "font/woff2")
        self._text_font = _address(_font("SourceSansVF-Upright"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = self.app
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            if scope["path"] == START:
                query = scope["query_string"].decode("latin-1")
                answer = RedirectResponse(f"/?{query}" if query else "/", 307)
            elif scope["path"] == self._text_font:
                answer = RedirectResponse(f"{assets_url()}fonts/{FONT_FILES[0][0]}", 302)
            elif file := self._files.get(scope["path"]):
                answer = _answer(file, scope)
        await answer(scope, receive, send)


def front_page(html: str) -> str:
    """Return Streamlit's page without the font that nobody uses, and with an icon of our own.

    Raises:
        ValueError: if it is not the page that this was written for.
    """
    for pattern, instead in ((_THEIR_ICON, TAB_ICON), (_THEIR_FONT, ""), (_AGENT, "")):
        html, count = pattern.subn(lambda _, words=instead: words, html)
        if count != 1:
            raise ValueError(f"Streamlit's index.html has {count} of {pattern.pattern}, not one.")
    return html.replace("<title>Streamlit</title>", "<title>Rushes</title>")


def icon_font() -> Path:
    """Return the file of Streamlit's font of icons."""
    return _font("MaterialSymbols-Rounded")


def _font(name: str) -> Path:
    """A font of Streamlit's; the names of its files change with their content."""
    [path] = (STATIC / "static" / "media").glob(f"{name}.*.woff2")
    return path


def _address(font: Path) -> str:
    return f"/{font.relative_to(STATIC).as_posix()}"


def _answer(file: _File, scope: Scope) -> Response:
    """The file, which browsers keep and ask about: the address stays when the content changes."""
    headers = {"ETag": file.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    asked = Headers(scope=scope)
    if file.etag in asked.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = file.content
    if file.compressed and "gzip" in asked.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = file.compressed, "gzip"
    return Response(content, headers=headers, media_type=file.media_type)
