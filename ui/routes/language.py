"""The language of a request, and `/language/CODE`, which remembers one in a cookie."""

from urllib.parse import quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ui.languages import chosen_language

COOKIE = "rushes_language"
HEADER = "x-rushes-language"
ASKED = "language"
YEAR_S = 365 * 24 * 3600


def language_of_desk(request: Request) -> str:
    """Code of the language that a desk says it is in, English if it says none."""
    return chosen_language([request.headers.get(HEADER)])


def language_of(request: HTTPConnection) -> str:
    """Return the code of the language that an address asks for, else the browser's, else 'en'."""
    accepted = request.headers.get("accept-language", "").split(",")
    wishes = [request.query_params.get(ASKED), request.cookies.get(COOKIE)]
    return chosen_language([*wishes, *(wish.partition(";")[0] for wish in accepted)])


def language_routes() -> list[Route]:
    """`/language/CODE` goes back to where a person was; an unknown code becomes English."""

    async def choose(request: Request) -> Response:
        page = request.query_params.get("to", "").lstrip("/\\")
        response = RedirectResponse("/" + quote(page), 303)
        response.set_cookie(
            COOKIE, chosen_language([request.path_params["code"]]), max_age=YEAR_S,
            httponly=True, samesite="lax", secure=request.url.scheme == "https",
        )  # fmt: skip
        return response

    return [Route("/language/{code}", choose)]
