"""Pages that need nothing but themselves, in the language of whoever reads them."""

from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from core.refusal import Refusal
from ui.languages import languages, say
from ui.routes.language import ASKED, COOKIE, YEAR_S, language_of


@dataclass(frozen=True)
class Reader:
    """Who reads a page.

    Attributes:
        language: code of their language.
        address: path and query of the page, as it was asked for.
        is_secure: whether it was asked for by https.
    """

    language: str
    address: tuple[str, tuple[tuple[str, str], ...]]
    is_secure: bool

    @classmethod
    def of(cls, request: HTTPConnection) -> "Reader":
        """Return whoever sent a request."""
        query = tuple(request.query_params.multi_items())
        return cls(language_of(request), (request.url.path, query), request.url.scheme == "https")

    def say(self, words: str, **values: object) -> str:
        """Return words in their language as HTML, the values as text in it."""
        return escape(say(self.language, words, **values))

    def page(self, title: str, content: str) -> str:
        """Return a whole page; `content` is HTML."""
        return (
            PAGE.replace("{language}", self.language)
            .replace("{title}", escape(title))
            .replace("{links}", self._links())
            .replace("{content}", content)
        )

    def message(self, heading: str, words: str, **values: object) -> str:
        """Return a page that says one thing."""
        content = f"<h1>{self.say(heading)}</h1><p>{self.say(words, **values)}</p>"
        return self.page("Rushes", content)

    def response(self, page: str, status: int = 200) -> HTMLResponse:
        """Return a page as a reply; a language that its address asks for is kept from then on."""
        response = HTMLResponse(page, status_code=status)
        _, query = self.address
        if any(name == ASKED for name, _ in query):
            response.set_cookie(
                COOKIE, self.language, max_age=YEAR_S, httponly=True, samesite="lax",
                secure=self.is_secure,
            )  # fmt: skip
        return response

    def refused(self, error: Refusal) -> str:
        """Return a page that says why something is not done."""
        return self.message("Not here", error.words, **error.values)

    def _links(self) -> str:
        """Links to the same page in the other languages."""
        path, query = self.address
        kept = [(name, value) for name, value in query if name != ASKED]
        return " · ".join(
            f'<span aria-current="true" lang="{code}">{escape(name)}</span>'
            if code == self.language
            else f'<a href="{escape(path)}?{escape(urlencode([*kept, (ASKED, code)]))}"'
            f' lang="{code}" hreflang="{code}">{escape(name)}</a>'
            for code, name in languages().items()
        )


PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 40rem; margin: 7vh auto 3rem; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .6rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
details { margin: 1.5rem 0; } summary { cursor: pointer; font-weight: 600; }
.note, .figures, .languages { opacity: .75; } .figures { font-size: 1.05rem; }
.languages { margin-top: 3rem; font-size: .9rem; } .languages a { color: inherit; }
form { margin: 1.5rem 0; }
input:not([type]) { font: inherit; padding: .5rem .7rem; margin: .3rem .6rem .3rem 0; width: 11rem;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .5rem; }
.agree { display: block; margin-bottom: 1rem; }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .6rem 1.3rem;
  border: 0; border-radius: .5rem; background: #1f5fbf; color: #fff; text-decoration: none;
  cursor: pointer; }
button:focus-visible, a:focus-visible { outline: 3px solid #f2a33c; outline-offset: 2px; }
.code code { font-size: 1.5rem; letter-spacing: .08em; padding: .4rem .8rem; border-radius: .4rem;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent); user-select: all; }
.link code { overflow-wrap: anywhere; user-select: all; } img { max-width: 100%; }
</style></head><body><main>{content}<p class="languages">{links}</p></main></body></html>
"""
