"""Where strangers arrive by a survey link, agree, and see how far they are and their code."""

import secrets
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from annotations.people import SESSION_S, invite
from annotations.record.task import task_in
from annotations.recruiting.recruitment import Recruitment, recruitment_of
from annotations.recruiting.sites import read_arrival
from annotations.recruiting.submissions import standings
from annotations.recruiting.workers import begin
from annotations.workspace import Workspace
from core.refusal import Forbidden, Missing, Refusal
from ui.access import cookie_name
from ui.languages import instructions
from ui.links import link_to
from ui.routes import recruiting_pages as pages
from ui.routes.desk_json import instructions_html
from ui.routes.plain_page import Reader
from ui.routes.sessions import person_of

BROWSER_S = 180 * 24 * 3600
LARGEST_FORM = 2_000
PREVIEW = "This is a preview. Accept the job on the site first."
NOT_AGREED = "Nothing is kept of you unless you agree. You may close this page."
NO_COOKIES = (
    "Your browser keeps no cookies of this page, so that nobody could tell your work from another "
    "person's. Allow them, and open the link again."
)
TOO_LARGE = "The form is larger than ours."
NOBODY = "This browser is not at work here. Open the link on the site again."
NO_STRANGER = "You are signed in as {name} and do not come from a survey link."


def browser_cookie(workspace: Workspace) -> str:
    """Return the name of the cookie with a browser's secret."""
    return cookie_name(workspace) + "_browser"


class Reception:
    """What answers strangers, for one workspace."""

    def __init__(self, workspace: Workspace):
        """Keep the workspace."""
        self.workspace = workspace

    async def arrive(self, request: Request) -> Response:
        """Show what the job is and ask for consent; nothing is kept of a person by this."""
        reader = Reader.of(request)
        try:
            recruitment = await self._recruitment(request)
            arrival = read_arrival(recruitment.site, _parameters(request))
        except Refusal as error:
            return _refused(reader, error)
        rules = await run_in_threadpool(self._instructions, recruitment, reader)
        here = str(request.url.path) + (f"?{request.url.query}" if request.url.query else "")
        settings = self.workspace.settings
        page = pages.welcome(reader, settings, recruitment, rules, here, arrival is None)
        response = reader.response(page)
        if arrival is not None and browser_cookie(self.workspace) not in request.cookies:
            self._keep(request, response, browser_cookie(self.workspace),
                       secrets.token_urlsafe(24), BROWSER_S)  # fmt: skip
        return response

    async def begin(self, request: Request) -> Response:
        """Make or find the worker who has agreed, and let this browser be them."""
        reader = Reader.of(request)
        try:
            recruitment = await self._recruitment(request)
            arrival = read_arrival(recruitment.site, _parameters(request))
            if arrival is None:
                raise Refusal(PREVIEW)
            if "agree=1" not in (await _form(request)):
                raise Refusal(NOT_AGREED)
            browser = request.cookies.get(browser_cookie(self.workspace), "")
            if not browser:
                raise Refusal(NO_COOKIES)
            person = await person_of(self.workspace, request)
            begun = await run_in_threadpool(
                begin, self.workspace, recruitment, arrival, browser, person
            )
        except Refusal as error:
            return _refused(reader, error)
        response = RedirectResponse("/recruit/work", 303)
        self._keep(request, response, cookie_name(self.workspace), begun.session, SESSION_S)
        self._keep(request, response, browser_cookie(self.workspace), browser, BROWSER_S)
        return response

    async def work(self, request: Request) -> Response:
        """Show a worker how far they are, what they earned, and the code once work is done."""
        reader = Reader.of(request)
        person = await person_of(self.workspace, request)
        if person is None:
            return reader.response(reader.message("Not signed in", NOBODY), 401)
        own = await run_in_threadpool(standings, self.workspace, person)
        if not own:
            page = reader.message("No survey link", NO_STRANGER, name=person.name)
            return reader.response(page, 404)
        token = await run_in_threadpool(invite, self.workspace, person.name, person.role)
        back = f"{link_to(self.workspace, token)}?to=annotate"
        page = pages.work(reader, self.workspace.settings, person.name, own, back)
        return reader.response(page)

    async def frame(self, request: Request) -> Response:
        """Show what stands in the site's own frame: a link to a page of its own, and a field."""
        reader = Reader.of(request)
        try:
            recruitment = await self._recruitment(request)
            arrival = read_arrival(recruitment.site, _parameters(request))
        except Refusal as error:
            return _refused(reader, error)
        rules = await run_in_threadpool(self._instructions, recruitment, reader)
        target = pages.submit_address(
            request.query_params.get("turkSubmitTo", ""), self.workspace.settings.turk_sites
        )
        link = f"/recruit/{request.path_params['token']}?{request.url.query}"
        settings = self.workspace.settings
        page = pages.frame(reader, settings, recruitment, rules, arrival, link, target)
        return reader.response(page)

    async def _recruitment(self, request: Request) -> Recruitment:
        return await run_in_threadpool(recruitment_of, self.workspace, request.path_params["token"])

    def _instructions(self, recruitment: Recruitment, reader: Reader) -> str:
        with self.workspace.store.read() as database:
            task = task_in(database, recruitment.task_id)
        return instructions_html(
            task.instructions or instructions(task.kind, task.settings, reader.language)
        )

    def _keep(
        self, request: Request, response: Response, name: str, value: str, max_age: int
    ) -> None:
        secure = self.workspace.settings.url.startswith("https:") or request.url.scheme == "https"
        response.set_cookie(
            name, value, max_age=max_age, httponly=True, samesite="lax", secure=secure
        )


def _parameters(request: Request) -> list[tuple[str, str]]:
    return list(request.query_params.multi_items())


async def _form(request: Request) -> list[str]:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FORM:
            raise Refusal(TOO_LARGE)
    return [f"{name}={value}" for name, value in parse_qsl(body.decode("utf-8", "replace"))]


def _refused(reader: Reader, error: Refusal) -> HTMLResponse:
    status = 404 if isinstance(error, Missing) else 403 if isinstance(error, Forbidden) else 400
    return reader.response(reader.refused(error), status)


def recruiting_routes(workspace: Workspace) -> list[Route]:
    """The addresses below `/recruit/`."""
    reception = Reception(workspace)
    routes: list[tuple[str, Any, str]] = [
        ("/recruit/work", reception.work, "GET"),
        ("/recruit/frame/{token}", reception.frame, "GET"),
        ("/recruit/{token}", reception.arrive, "GET"),
        ("/recruit/{token}", reception.begin, "POST"),
    ]
    return [Route(path, answer, methods=[method]) for path, answer, method in routes]
