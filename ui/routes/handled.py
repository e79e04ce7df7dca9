"""Answers a request of the person signed in: what a method returns, as JSON, or an error."""

import logging
import sqlite3
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from annotations.backup.database_errors import BUSY as BUSY_CLASSES
from annotations.backup.database_errors import error_class, error_words
from annotations.people import Person
from annotations.workspace import Workspace
from core.refusal import Forbidden, Missing, Refusal
from ui.access import EVERYBODY, may
from ui.routes.body import LARGEST_INTEGER, Json, TooLarge, read_body
from ui.routes.sessions import ENDED, Escaped, person_of, refusal

LOG = logging.getLogger(__name__)
BUSY = "The database is busy. What you sent is kept and sent again."
TELL = "What you sent is kept and sent again. Please tell whoever runs this server:"
BROKEN = "Something in Rushes broke; its log says what. What you sent is kept and sent again."


async def answered(
    workspace: Workspace,
    request: Request,
    method: Callable[[Person, int, dict[str, Any]], dict[str, Any]],
    roles: frozenset[str] = EVERYBODY,
) -> Response:
    """Return what a method answers about a task to the person signed in, or an error in words."""
    task = request.path_params["task"]
    return await handled(workspace, request, lambda person, body: method(person, task, body), roles)


async def handled(
    workspace: Workspace,
    request: Request,
    method: Callable[[Person, Json], Json],
    roles: frozenset[str],
    preface: str = "The request was not understood: ",
) -> Response:
    """Return what a method answers to the person signed in, or an error in words.

    A refusal is a status of 4xx with its text. A busy database is 503, and any other exception is
    a bug: 500, with its traceback in the log. Browsers keep what they sent and repeat it then.
    """
    person = await person_of(workspace, request)
    if person is None:
        return refusal(401, ENDED)
    if not may(person, roles):
        return refusal(403, "This is for authors.")
    expected = request.headers.get("x-rushes-person")
    if expected is not None and unquote(expected) != person.name:
        return refusal(401, f"This browser is signed in as {person.name} now. Reload the page.")
    if any(isinstance(n, int) and n > LARGEST_INTEGER for n in request.path_params.values()):
        return refusal(404, "There is nothing of this number.")
    body: Json = {}
    try:
        if request.method == "POST":
            body = await read_body(request)
        return Escaped(await run_in_threadpool(method, person, body))
    except ClientDisconnect:  # they left while they were still sending: nobody hears an answer
        return Response(status_code=400)
    except Refusal as error:
        return refusal(_status(error), str(error) if _status(error) > 400 else f"{preface}{error}")
    except sqlite3.Error as error:
        return _database_failed(request, error)
    except Exception:
        LOG.exception("%s %s broke", request.method, request.url.path)
        return refusal(500, BROKEN)


def _status(error: Refusal) -> int:
    if isinstance(error, Missing):
        return 404
    if isinstance(error, Forbidden):
        return 403
    return 413 if isinstance(error, TooLarge) else 400


def _database_failed(request: Request, error: sqlite3.Error) -> Response:
    """Say what a person can do: it passes, or whoever runs the server has to see to it."""
    if error_class(error) in BUSY_CLASSES:
        LOG.warning("%s %s: the database is busy", request.method, request.url.path)
        return refusal(503, BUSY)
    LOG.exception("%s %s: the database failed", request.method, request.url.path)
    if not (words := error_words(error)):
        return refusal(500, BROKEN)
    return refusal(503, f"{TELL} {words}")
