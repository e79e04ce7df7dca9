"""The desk's own addresses, answered before Streamlit's middleware sees them.

It keeps sessions of its own, guards files of its own and compresses on the loop of events: nothing
that these addresses need, and half of what a stored answer cost.
"""

from collections.abc import Sequence

from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

DESKS = "/desk/"
FILES = "/desk/assets/"


class Direct:
    """Serves the same as another application, addresses of desks without a detour."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]):
        """Keep the application, and those of the routes that are a desk's."""
        self.app = app
        desks = [
            route for route in routes if isinstance(route, Route) and route.path.startswith(DESKS)
        ]
        self._desks = ExceptionMiddleware(Router(desks))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_desk = (
            scope["type"] == "http"
            and scope["path"].startswith(DESKS)
            and not scope["path"].startswith(FILES)
        )
        await (self._desks if is_desk else self.app)(scope, receive, send)
