"""Answers a request of the person signed in: what a method returns, as JSON, or an error."""

from collections.abc import Callable
from typing import Any, cast
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from annotations.people import Person
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.routes.sessions import ENDED, person_of, refusal

BODY_LIMIT = 1_000_000


async def answered(
    workspace: Workspace,
    request: Request,
    method: Callable[[Person, int, dict[str, Any]], dict[str, Any]],
) -> Response:
    """Return what a method answers about a task to the person signed in, or an error in words."""
    task = request.path_params["task"]
    return await handled(workspace, request, lambda person, body: method(person, task, body))


async def handled(
    workspace: Workspace,
    request: Request,
    method: Callable[[Person, dict[str, Any]], dict[str, Any]],
    preface: str = "The request was not understood: ",
) -> Response:
    """Return what a method answers to the person signed in, or an error in words."""
    person = await person_of(workspace, request)
    if person is None:
        return refusal(401, ENDED)
    expected = request.headers.get("x-rushes-person")
    if expected is not None and unquote(expected) != person.name:
        return refusal(401, f"This browser is signed in as {person.name} now. Reload the page.")
    body: dict[str, Any] = {}
    try:
        if request.method == "POST":
            body = await _body(request)
        return JSONResponse(await run_in_threadpool(method, person, body))
    except ClientDisconnect:  # they left while they were still sending: nobody hears an answer
        return Response(status_code=400)
    except (ValueError, KeyError, TypeError) as error:
        return refusal(400, f"{preface}{error}")
    except LookupError as error:
        return refusal(404, str(error))
    except PermissionError as error:
        return refusal(403, str(error))


async def _body(request: Request) -> dict[str, Any]:
    if int(request.headers.get("content-length") or 0) > BODY_LIMIT:
        raise Refusal(f"it is larger than {BODY_LIMIT} bytes.")
    if "json" not in request.headers.get("content-type", ""):
        raise Refusal("its body is not JSON.")
    body = await request.json()
    if not isinstance(body, dict):
        raise Refusal("its body is no JSON object.")
    return cast("dict[str, Any]", body)
