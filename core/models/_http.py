"""Requests to a server that may be busy, slow or wrong."""

import json
import os
import random
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

from core.model import ItemError, LoadOptions, ModelError

BUSY = "server busy"
REFUSED = "refused by the server"
TIMED_OUT = "time-out"
UNREACHABLE = "server not reached"
BROKEN = "broken reply"

_LATER = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_LONGEST_WAIT_S = 30.0
_LONGEST_RETRY_AFTER_S = 120.0
_LARGEST_REPLY = 32 * 2**20
_TIMEOUT_TRIES = 2


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuse redirects: a key goes to the server that was named and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Server:
    """An OpenAI-compatible server: JSON in, JSON out.

    Attributes:
        url: up to and including ``/v1`` or whatever stands before ``/chat/completions``.
    """

    def __init__(self, url: str, options: LoadOptions, sleep: Callable[[float], None] = time.sleep):
        """Checks the address.

        Raises:
            ModelError: if it is no http or https address.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise ModelError(
                f"No server address {url!r}. Give server:http://HOST:PORT/v1#MODEL, and the key "
                "in an environment variable."
            )
        self.url = url.rstrip("/")
        self.host = parts.netloc
        self._options = options
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return the server's answer, after retries.

        Raises:
            ItemError: if it does not answer, or refuses.
        """
        data = json.dumps(body).encode()
        failure = ItemError(UNREACHABLE)
        timeouts = 0
        for attempt in range(self._options.retries + 1):
            wait_s: float | None = None
            try:
                return self._once(path, data)
            except urllib.error.HTTPError as error:
                failure = _refusal(error)
                if error.code not in _LATER:
                    raise failure from None
                wait_s = _retry_after(error)
            except TimeoutError as error:
                failure, timeouts = self._timed_out(error), timeouts + 1
            except urllib.error.URLError as error:
                if isinstance(error.reason, (TimeoutError, socket.timeout)):
                    failure, timeouts = self._timed_out(error), timeouts + 1
                else:
                    failure = ItemError(UNREACHABLE, f"{self.host}: {error.reason}")
            except (ConnectionError, OSError) as error:
                failure = ItemError(UNREACHABLE, f"{self.host}: {error}")
            except _ErrorInsideError as error:
                failure = error.failure
                if not error.passes:
                    raise failure from None
            except ValueError as error:
                failure = ItemError(BROKEN, str(error)[:200])
            if timeouts >= _TIMEOUT_TRIES or attempt == self._options.retries:
                break
            self._sleep(self._wait(attempt) if wait_s is None else wait_s)
        raise failure

    def _once(self, path: str, data: bytes) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := os.environ.get(self._options.api_key_env, ""):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.url + path, data, headers, method="POST")
        with self._opener.open(request, timeout=self._options.timeout_s) as response:
            raw = response.read(_LARGEST_REPLY)
        reply: Any = json.loads(raw)
        if not isinstance(reply, dict):
            raise ValueError("the reply is no JSON object")
        answer = cast(dict[str, Any], reply)
        if answer.get("error") and not answer.get("choices") and not answer.get("data"):
            raise _ErrorInsideError(answer["error"])
        return answer

    def _timed_out(self, _: Exception) -> ItemError:
        return ItemError(TIMED_OUT, f"{self.host} took over {self._options.timeout_s:g} s")

    def _wait(self, attempt: int) -> float:
        longest = min(_LONGEST_WAIT_S, self._options.back_off_s * 2**attempt)
        # Spread, so that all who were turned down do not come back at once.
        return longest * random.uniform(0.5, 1.0)


class _ErrorInsideError(Exception):
    """An error that a server sends with status 200, in its own words.

    Attributes:
        failure: the error with the server's words.
        passes: whether asking again may help.
    """

    def __init__(self, error: Any):
        """Read the error's message and code, where it has them."""
        fields: dict[str, Any] = {"message": error}
        if isinstance(error, dict):
            fields = cast(dict[str, Any], error)
        message = " ".join(str(fields.get("message") or fields).split())[:300]
        code = str(fields.get("code") or fields.get("status") or "")
        super().__init__(message)
        self.passes = not code.isdigit() or int(code) in _LATER
        words = f"{message} ({code})" if code else message
        self.failure = ItemError(BUSY if self.passes else REFUSED, words)


def _refusal(error: urllib.error.HTTPError) -> ItemError:
    try:
        message = error.read(2000).decode(errors="replace")
    except OSError:
        message = ""
    try:
        known: Any = json.loads(message)
        message = str(known["error"]["message"])
    except (ValueError, KeyError, TypeError):
        pass
    reason = BUSY if error.code in _LATER else REFUSED
    return ItemError(reason, f"{error.code} {' '.join(message.split())[:300]}".strip())


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    try:
        wait_s = float(error.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return min(max(0.0, wait_s), _LONGEST_RETRY_AFTER_S)
