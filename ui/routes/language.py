"""`/language/CODE`: remembers a person's language in a cookie and goes back to where they were."""

from http.cookies import SimpleCookie
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ui.languages import chosen_language

COOKIE = "rushes_language"
HEADER = "x-rushes-language"
YEAR_S = 365 * 24 * 3600


def language_of_desk(request: Request) -> str:
    """Code of the language that a desk says it is in, English if it says none."""
    return chosen_language([request.headers.get(HEADER)])


def language_of_browser(headers: Headers) -> str:
    """Code of the language that was chosen in a browser, else of one that it accepts."""
    cookies: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    chosen = cookies[COOKIE].value if COOKIE in cookies else None
    accepted = headers.get("accept-language", "").split(",")
    return chosen_language([chosen, *(wish.partition(";")[0] for wish in accepted)])


def language_routes() -> list[Route]:
    """The one address; an unknown code becomes English."""

    async def choose(request: Request) -> Response:
        page = request.query_params.get("to", "").lstrip("/\\")
        response = RedirectResponse("/" + quote(page), 303)
        code = chosen_language([request.path_params["code"]])
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, code, max_age=YEAR_S, httponly=True, samesite="lax", secure=secure
        )
        return response

    return [Route("/language/{code}", choose)]
