"""Answers a request of the person signed in: what a method returns, as JSON, or an error.

The loop of events only takes the bytes in and hands them out. All between is done in one go by a
thread: with two hundred people, each time that loop and threads wait for each other counts.
"""

import asyncio
import gzip
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any
from urllib.parse import unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from annotations.backup.database_errors import BUSY as BUSY_CLASSES
from annotations.backup.database_errors import error_class, error_words
from annotations.people import Person, signed_in
from annotations.workspace import Workspace
from core.refusal import Forbidden, Missing, Refusal
from ui.access import EVERYBODY, cookie_name, may
from ui.routes.body import LARGEST_INTEGER, Json, TooLarge, parsed, read_bytes
from ui.routes.language import language_of_desk
from ui.routes.sessions import ENDED, Escaped, refusal
from ui.sentences import reply_in, spoken

LOG = logging.getLogger(__name__)
# Threads for what desks ask. They wait for each other while one of them writes, so that more would
# be of no use; and pages, videos and sign-in have threads of their own, which nobody waits in.
THREADS = 8
# Of their own for what is asked ahead of need: people who began together ask for more items at the
# same moments, two hundred of them for three seconds' work, and answers came after all of that.
AHEAD_THREADS = 2
LARGE_BYTES = 2_000
BUSY = "The database is busy. What you sent is kept and sent again."
TELL = "What you sent is kept and sent again. Please tell whoever runs this server:"
BROKEN = "Something in Rushes broke; its log says what. What you sent is kept and sent again."


async def answered(
    workspace: Workspace,
    request: Request,
    method: Callable[[Person, int, dict[str, Any]], dict[str, Any]],
    roles: frozenset[str] = EVERYBODY,
    is_ahead: Callable[[bytes], bool] = lambda sent: False,
) -> Response:
    """Return what a method answers about a task to the person signed in, or an error in words."""
    task = request.path_params["task"]
    return await handled(
        workspace,
        request,
        lambda person, body: method(person, task, body),
        roles,
        is_ahead=is_ahead,
    )


async def handled(
    workspace: Workspace,
    request: Request,
    method: Callable[[Person, Json], Json],
    roles: frozenset[str],
    preface: str = "The request was not understood: ",
    is_ahead: Callable[[bytes], bool] = lambda sent: False,
) -> Response:
    """Return what a method answers to the person signed in, or an error in words.

    A refusal is a status of 4xx with its text. A busy database is 503, and any other exception is
    a bug: 500, with its traceback in the log. Browsers keep what they sent and repeat it then.
    Both are in the language that the desk asks for.

    Args:
        workspace: the one that is served.
        request: what came.
        method: what answers it.
        roles: whom it answers.
        preface: stands before what is wrong with a request.
        is_ahead: says of the bytes sent whether they ask for what nobody waits for yet.
    """
    language = language_of_desk(request)
    session = request.cookies.get(cookie_name(workspace))
    if not session:
        return _refused(language, 401, ENDED)
    sent: bytes | Refusal = b""
    try:
        if request.method == "POST":
            sent = await read_bytes(request)
    except ClientDisconnect:  # they left while they were still sending: nobody hears an answer
        return Response(status_code=400)
    except Refusal as error:  # told to whoever is signed in
        sent = error

    def reply() -> Response:
        try:
            person = signed_in(workspace, session)
            return _reply(request, language, person, sent, method, roles, preface)
        except sqlite3.Error as error:
            return _refused(language, *_database_failed(request, error))

    ahead = isinstance(sent, bytes) and is_ahead(sent)
    threads = _threads_ahead() if ahead else _threads()
    return await asyncio.get_running_loop().run_in_executor(threads, reply)


def _reply(
    request: Request,
    language: str,
    person: Person | None,
    sent: bytes | Refusal,
    method: Callable[[Person, Json], Json],
    roles: frozenset[str],
    preface: str,
) -> Response:
    """Return the answer to somebody, or to nobody, who has sent a body or why it is of no use."""
    if person is None:
        return _refused(language, 401, ENDED)
    if not may(person, roles):
        return _refused(language, 403, "This is for authors.")
    expected = request.headers.get("x-rushes-person")
    if expected is not None and unquote(expected) != person.name:
        words = f"This browser is signed in as {person.name} now. Reload the page."
        return _refused(language, 401, words)
    if any(isinstance(n, int) and n > LARGEST_INTEGER for n in request.path_params.values()):
        return _refused(language, 404, "There is nothing of this number.")
    try:
        if isinstance(sent, Refusal):
            raise sent
        body: Json = parsed(sent) if request.method == "POST" else {}
        return compressed(Escaped(reply_in(language, method(person, body))), request)
    except Refusal as error:
        status = _status(error)
        return _refused(language, status, str(error) if status > 400 else f"{preface}{error}")
    except sqlite3.Error:
        raise
    except Exception:
        LOG.exception("%s %s broke", request.method, request.url.path)
        return _refused(language, 500, BROKEN)


def compressed(response: Response, request: Request) -> Response:
    """Return a response, smaller where it is large and the browser reads that.

    At the quickest level, and by the thread that made it: a desk's next items take 20 kB and more.
    """
    body = bytes(response.body)
    if len(body) < LARGE_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
        return response
    response.body = gzip.compress(body, 1, mtime=0)
    response.headers["Content-Length"] = str(len(response.body))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add_vary_header("Accept-Encoding")
    return response


def _refused(language: str, status: int, words: str) -> Response:
    return refusal(status, spoken(language, words))


@cache
def _threads() -> ThreadPoolExecutor:
    """The threads of desks of this server."""
    return ThreadPoolExecutor(THREADS, "desk")


@cache
def _threads_ahead() -> ThreadPoolExecutor:
    """The threads for what desks ask ahead of need."""
    return ThreadPoolExecutor(AHEAD_THREADS, "ahead")


def _status(error: Refusal) -> int:
    if isinstance(error, Missing):
        return 404
    if isinstance(error, Forbidden):
        return 403
    return 413 if isinstance(error, TooLarge) else 400


def _database_failed(request: Request, error: sqlite3.Error) -> tuple[int, str]:
    """Return the status, and what a person can do: it passes, or whoever runs the server helps."""
    if error_class(error) in BUSY_CLASSES:
        LOG.warning("%s %s: the database is busy", request.method, request.url.path)
        return 503, BUSY
    if not (words := error_words(error)):
        LOG.exception("%s %s: the database failed", request.method, request.url.path)
        return 500, BROKEN
    # No traceback: it would say nothing more, and fill a full disk further.
    LOG.error("%s %s: %s. %s", request.method, request.url.path, error, words)
    return 503, f"{TELL} {words}"
