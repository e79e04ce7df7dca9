"""The stages of made workspaces like those of TOMATO, ActionAtlas and K9-Bench, by hand count."""

import json
import time
from collections.abc import Callable

import pytest
from building import insert, make_clip, make_video

from annotations import task as tasks
from annotations.answering import queue
from annotations.answering.answer_store import Answer, store
from annotations.footage.store import open_store
from annotations.funnel.stages import Stage, stages
from annotations.people import Person
from annotations.planning.task_store import create_task, grow, set_status
from annotations.publishing.preview import publication_folder
from annotations.task_parts import HasStage
from annotations.workspace import Workspace

Give = Callable[[int, Person, int, dict[str, object]], None]


@pytest.fixture
def give(workspace: Workspace) -> Give:
    """A person's answer to an item of a task, by its place from 0."""

    def answer(task: int, person: Person, place: int, response: dict[str, object]) -> None:
        rows = workspace.store.rows("SELECT id FROM item WHERE task_id = ? ORDER BY id", [task])
        item = rows[place]["id"]
        lease = queue.hand(workspace, task, person, item).lease.id
        uid = f"the answer of {person.name} to item {item}"
        [receipt] = store(
            workspace, task, person, [Answer(uid, item, lease, response, None, 1.0, time.time())]
        )
        assert receipt.status == "stored", receipt

    return answer


def by_name(workspace: Workspace) -> dict[str, Stage]:
    return {stage.name: stage for stage in stages(workspace)}


def add_videos(workspace: Workspace, usable: int, missing: int = 0) -> None:
    with workspace.store.write() as database:
        for number in range(usable + missing):
            status = "usable" if number < usable else "missing"
            video = make_video(database, f"v{number}.mp4", status=status)
            make_clip(database, video)


def test_an_empty_workspace_has_no_stages(workspace: Workspace):
    assert stages(workspace) == []


def test_questions_answered_and_cross_checked_as_in_tomato(
    workspace: Workspace, add_question: Callable[..., int], add_person, give: Give
):
    for number in range(4):
        add_question(f"count/{number}")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE question SET retired_at = 'now' WHERE uid = 'count/3'")
    settings = {"condition": "full video", "shuffle_options": False}
    task = create_task(workspace, "full", "human_evaluation", settings, 2)
    grow(workspace, task)
    ada, ben = add_person("Ada"), add_person("Ben")
    give(task, ada, 0, {"choice": 1})
    give(task, ben, 0, {"choice": 0})
    give(task, ada, 1, {"choice": 1})
    found = by_name(workspace)
    assert set(found) == {"Videos usable", "Questions that stand", "Answered", "Cross-checked"}
    assert (found["Questions that stand"].count, found["Questions that stand"].of) == (3, 4)
    # Two of the three that stand have an answer; the item of the third and of the second ask on.
    assert (found["Answered"].count, found["Answered"].of) == (2, 3)
    assert found["Answered"].waits == "2 wait for more answers"
    assert (found["Cross-checked"].count, found["Cross-checked"].of) == (1, 2)
    assert found["Cross-checked"].share == 0.5
    assert [found[name].base for name in found] == [
        "brought in", "in all", "that stand", "answered",
    ]  # fmt: skip


def test_videos_screened_as_in_k9_bench(workspace: Workspace, add_person, give: Give):
    add_videos(workspace, 3, missing=1)
    task = create_task(workspace, "screen", "screening", {"duplicates": False}, 1)
    grow(workspace, task)
    ada = add_person("Ada")
    give(task, ada, 0, {"verdict": "accept", "reasons": [], "note": ""})
    reason = json.loads(
        workspace.store.rows("SELECT settings FROM task WHERE id = ?", [task])[0]["settings"]
    )["reasons"][0]["id"]
    give(task, ada, 1, {"verdict": "reject", "reasons": [reason], "note": ""})
    found = by_name(workspace)
    assert (found["Videos usable"].count, found["Videos usable"].of) == (3, 4)
    assert found["Videos usable"].waits == "1 waits for a file"
    # One of the two that are judged is accepted; the third waits.
    assert (found["Screened"].count, found["Screened"].of) == (1, 2)
    assert (found["Screened"].base, found["Screened"].waits) == (
        "decided", "1 waits for annotators",
    )  # fmt: skip
    assert found["Screened"].link == f"/tasks?task={task}"


def test_nothing_waits_for_annotators_in_a_task_that_is_not_open(workspace: Workspace):
    add_videos(workspace, 2)
    first = create_task(workspace, "first", "screening", {"duplicates": False}, 1)
    grow(workspace, first)
    grow(workspace, create_task(workspace, "second", "screening", {"duplicates": False}, 1))
    set_status(workspace, "second", "closed")
    screened = by_name(workspace)["Screened"]
    assert (screened.waits, screened.link) == ("2 wait for annotators", f"/tasks?task={first}")
    set_status(workspace, "first", "closed")
    assert by_name(workspace)["Screened"].waits == ""


def test_footage_found_kept_by_text_and_downloaded_as_in_actionatlas(workspace: Workspace):
    footage = open_store(workspace)
    with footage.write() as database:
        database.conn.execute("UPDATE index_size SET titles = 5")
        for unit, kept in (("1", 1), ("2", 1), ("3", 0), ("4", 0)):
            for step in ("1 find", "2 title_filter"):
                insert(
                    database, "step_result", pipeline="moves", step=step, unit=unit,
                    kept=kept if step.endswith("filter") else 1, at=0,
                )  # fmt: skip
    footage.close()
    found = by_name(workspace)
    assert found["Footage found"].count == 5
    assert (found["Kept by text"].count, found["Kept by text"].of) == (2, 4)
    assert "Downloaded" not in found


def test_what_is_published_counts_against_what_stands(
    workspace: Workspace, add_question: Callable[..., int]
):
    for number in range(3):
        add_question(f"count/{number}")
    folder = publication_folder(workspace)
    folder.mkdir(parents=True)
    told = {"rushes_publication": 1, "version": "1.0", "questions": {"a": {}, "b": {}}}
    (folder / "publication.json").write_text(json.dumps(told))
    published = by_name(workspace)["Published"]
    assert (published.count, published.of, published.waits) == (2, 3, "version 1.0")


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("verification", {"a": True, "b": False, "c": True}, (2, 3)),
        ("localization", {"happens": "yes", "segments": [{"start": 1, "end": 2}]}, (1, 1)),
        ("localization", {"happens": "no", "segments": []}, (0, 1)),
        ("question_review", {"verdict": "discard"}, (0, 1)),
        ("question_review", {"verdict": "keep", "question": "Why?"}, (1, 1)),
        ("question_review", {"written": [{}, {}]}, (2, 2)),
        ("screening", {"verdict": "reject", "reasons": ["dark"]}, (0, 1)),
    ],
)
def test_a_kind_says_what_passes_by_its_decision(
    kind: str, value: dict[str, object], expected: tuple[int, int]
):
    module: object = tasks.kind(kind)
    assert isinstance(module, HasStage)
    assert module.survivors(value) == expected
