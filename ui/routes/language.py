"""`/language/CODE`: remembers a person's language in a cookie and goes back to where they were."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ui.languages import chosen_language

COOKIE = "rushes_language"
YEAR_S = 365 * 24 * 3600


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
