"""Bodies of every route, as strange as they come: refused in words or taken, never a crash.

Built from what the routes expect, with any part of it replaced by something else.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from annotations.exporting.export import export
from annotations.people import invite
from annotations.planning.task_store import create_task, grow
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.shell import serve

TEXT = st.text(max_size=30) | st.sampled_from(
    ["\x00", "\ud800", "\u202e", "'; DROP TABLE item; --", "=cmd()", "<img src=x>", "p0", "9" * 30]
)
LEAF = (
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT
    | st.sampled_from([2**63, -(2**63), 1e308, 0, -1, 1])
)  # fmt: skip
ANYTHING = st.recursive(
    LEAF,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(TEXT, part, max_size=4),
    max_leaves=12,
)
TRIES = settings(
    max_examples=25, deadline=None, database=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
# What each route takes, by the end of its address.
LIKE: dict[str, dict[str, Any]] = {
    "lease": {"have": [1, 2], "window": "w"},
    "release": {"items": [1], "window": "w"},
    "draft": {"item": 1, "lease": 1, "response": {"choice": "p0"}, "active_s": 1.0},
    "answers": {"answers": [{
        "uid": "uid-000001", "item": 1, "lease": 1, "response": {"choice": "p0"}, "skip": None,
        "drawn": True, "fresh": True, "active_s": 1.0, "answered_at": 1.7e9,
    }]},
    "page": {"filter": {"runs": [1]}, "offset": 0, "limit": 5, "compare": [1], "listing": ""},
    "tag": {"prediction": 1, "classes": ["oversight"], "note": "", "uid": "uid-of-a-tag",
            "task": None, "active_s": 1.0},
    "tags": {"predictions": [1, 2], "classes": ["oversight"], "note": "", "uid": "uid-of-tags",
             "task": None, "active_s": 1.0},
    "wall": {"filter": {"runs": [1]}, "offset": 0, "limit": 5, "listing": ""},
    "key": {"question": 1, "key": 0, "revision": 1, "reason": "x"},
    "views": {"name": "all wrong", "query": "runs=1", "id": 0},
    "task": {"name": "tagging", "filter": {}, "overlap": 2, "most": 2, "draw": True},
}  # fmt: skip


def mutated(example: dict[str, Any]) -> st.SearchStrategy[Any]:
    """The example with one part anywhere in it replaced, left out or added to; or anything."""
    paths = list(parts(example, ()))

    def replace(choice: tuple[tuple[Any, ...], Any, str]) -> Any:
        path, value, how = choice
        copy = json.loads(json.dumps(example))
        at = copy
        for step in path[:-1]:
            at = at[step]
        if how == "replace":
            at[path[-1]] = value
        elif how == "drop":
            del at[path[-1]]
        elif isinstance(at, dict):
            at[str(value)[:20]] = value
        return copy

    changes = st.tuples(
        st.sampled_from(paths), ANYTHING, st.sampled_from(["replace", "replace", "drop", "add"])
    )
    return changes.map(replace) | ANYTHING


def parts(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The path of every part of a value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, part in steps:
        yield (*path, step)
        if isinstance(part, dict | list):
            yield from parts(part, (*path, step))


@pytest.fixture
def study(workspace: Workspace, add_question: Callable[..., int], model_says: Any) -> Workspace:
    for number in range(3):
        add_question(f"count/{number}")
        model_says("m", f"count/{number}", "A")
    grow(workspace, create_task(workspace, "t", "human_evaluation", {"condition": "text only"}, 3))
    return workspace


@pytest.fixture
def posts(study: Workspace) -> Iterator[tuple[TestClient, list[str]]]:
    """An administrator's browser, and every address that takes a body of JSON."""
    preparer = Preparer(study)
    routes = serve.routes(study, preparer)
    [task] = study.store.rows("SELECT id FROM task WHERE name = 't'")
    client = TestClient(Starlette(routes=routes))
    client.get(f"/join/{invite(study, 'Root', 'admin')}", follow_redirects=False)
    addresses = [
        re.sub(r"\{task:int\}", str(task["id"]), route.path)
        for route in routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
        and route.path.startswith("/desk/")
    ]  # fmt: skip
    yield client, addresses
    preparer.stop()


def test_every_route_with_a_body_is_tried(posts):
    _, addresses = posts
    assert {address.rpartition("/")[2] for address in addresses} == LIKE.keys()


@pytest.mark.parametrize("ends", sorted(LIKE))
def test_no_body_breaks_a_route_or_what_is_read_later(posts, study, tmp_path, ends):
    client, addresses = posts
    [task] = study.store.rows("SELECT id FROM task WHERE name = 't'")
    opened = client.get(f"/desk/tasks/{task['id']}").json()["items"]
    example = json.loads(json.dumps(LIKE[ends]))
    for part in (example, *example.get("answers", ())):
        if "lease" in part:
            part |= {"item": opened[0]["id"], "lease": opened[0]["lease"]}

    @TRIES
    @given(body=mutated(example))
    def attempt(body: Any) -> None:
        # As a browser would send it: halves of surrogate pairs are escaped, NaN is written out.
        content = json.dumps(body).encode("ascii")
        for address in addresses:
            if not address.endswith(f"/{ends}"):
                continue
            reply = client.post(
                address, content=content, headers={"content-type": "application/json"}
            )
            assert reply.status_code in (200, 400, 403, 404, 413), (address, body, reply.text)
            if reply.status_code == 200:
                statuses = {one["status"] for one in reply.json().get("results", ())}
                assert statuses <= {"stored", "again", "extra", "refused"}, (body, reply.text)
            else:
                assert reply.json()["error"]

    if ends in ("page", "task", "tag"):  # what is replaced is a body that is taken
        [address] = [one for one in addresses if one.endswith(f"/{ends}")]
        prediction = study.store.rows("SELECT min(annotation_id) AS id FROM prediction")[0]["id"]
        body = {**example, "prediction": prediction}
        assert client.post(address, json=body).status_code == 200
    attempt()
    # What was stored opens, is exported, and counts no time beyond the clock.
    assert client.get(f"/desk/tasks/{task['id']}").status_code == 200
    export(study, tmp_path / "out")
    [paid] = study.store.rows("SELECT coalesce(sum(active_s), 0) AS s FROM annotation")
    assert paid["s"] < 600
