"""Requests about named views of the page Failures. Authors only."""

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from annotations.failure.named_views import delete_view, name_view, named_views
from annotations.people import Person
from annotations.workspace import Workspace
from ui.access import AUTHORS
from ui.routes.body import integer, text
from ui.routes.handled import handled


def view_route(workspace: Workspace, base: str) -> Route:
    """The address that names, renames or deletes a view, and answers with all that there are."""

    def views(person: Person, body: dict[str, Any]) -> dict[str, Any]:
        if "name" in body:
            query, view_id = text(body, "query", ""), integer(body, "id", 0)
            name_view(workspace, person, text(body, "name"), query, view_id)
        elif "id" in body:
            delete_view(workspace, integer(body, "id"))
        return {"views": [asdict(view) for view in named_views(workspace)]}

    async def handle(request: Request) -> Response:
        return await handled(workspace, request, views, AUTHORS, preface="")

    return Route(f"{base}/views", handle, methods=["GET", "POST"])
