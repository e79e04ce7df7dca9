"""Who is here and what they may do: one check for every route, page, fragment and callback.

Streamlit runs callbacks before the page asks who is there, and fragments without the page. So
both are made here, and ask for themselves; a test reads the source and finds none elsewhere.
"""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

import streamlit as st

from annotations.people import Person, signed_in
from annotations.workspace import Workspace
from ui.database_trouble import database_trouble_told
from ui.serving import workspace

EVERYBODY = frozenset({"annotator", "author", "admin"})
AUTHORS = frozenset({"author", "admin"})


def cookie_name(served: Workspace) -> str:
    """Return the cookie's name; cookies know no ports, so that two workspaces need two names."""
    return "rushes_" + hashlib.sha256(served.secret.encode()).hexdigest()[:8]


def may(person: Person | None, roles: frozenset[str]) -> bool:
    """Return whether somebody is signed in with one of these roles."""
    return person is not None and person.role in roles


def person_here() -> Person | None:
    """Return who looks at this page now, by the database: access that has ended is no access."""
    served = workspace()
    return signed_in(served, st.context.cookies.get(cookie_name(served)))


def fragment(
    *, roles: frozenset[str] = AUTHORS, run_every: str | float | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a part of a page that is drawn again by itself, for whoever may see it at that moment.

    Somebody else gets the whole page again, which tells them why they are not let in.
    """

    def decorate(draw: Callable[..., None]) -> Callable[..., None]:
        @wraps(draw)
        def guarded(*args: Any, **kwargs: Any) -> None:
            with database_trouble_told():
                if not may(person_here(), roles):
                    st.rerun(scope="app")
                    return
                draw(*args, **kwargs)

        guarded.__dict__["guarded"] = roles, guarded  # where the test finds it
        return st.fragment(guarded, run_every=run_every)

    return decorate


def callback(act: Callable[..., object], roles: frozenset[str] = AUTHORS) -> Callable[..., None]:
    """Make what a button does before the page is drawn: nothing, for whoever may not do it."""

    @wraps(act)
    def guarded(*args: Any, **kwargs: Any) -> None:
        with database_trouble_told():
            if may(person_here(), roles):
                act(*args, **kwargs)

    return guarded
