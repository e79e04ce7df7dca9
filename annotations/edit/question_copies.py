"""Questions of a video, copied to an edited one: drafts without a key, which people decide anew.

An edit changes what is right: clockwise becomes counter-clockwise, left becomes right. A key is
never derived from the edit; the old one is shown struck out.
"""

import json
from dataclasses import dataclass
from typing import Any

from annotations.edit.edit_store import StoredEdit, stored_edit, timelines
from annotations.planning.task_plan import PlannedItem
from annotations.planning.task_store import add_items, create_task
from annotations.task import ItemDraft
from annotations.workspace import Workspace
from core.editing.recipe import carried_interval, timeline_of
from core.refusal import Refusal

TASK = "Questions on edited videos"
KIND = "question_review"
SETTINGS: dict[str, Any] = {"mode": "review", "keep": list(range(1, 26)), "show_key": True}


@dataclass(frozen=True)
class Copies:
    """What copying did.

    Attributes:
        task: name of the review task in which the drafts are.
        new: drafts that are new.
        existing: drafts that were there already.
        lost: questions of whose clip nothing is left in the edited video.
    """

    task: str
    new: int
    existing: int
    lost: int

    @property
    def words(self) -> str:
        """What was done, in a sentence for a person."""
        if not self.new and not self.existing:
            return "No question to copy." + self._lost
        drafts = "1 draft" if self.new == 1 else f"{self.new} drafts"
        again = f" ({self.existing} were there already)" if self.existing else ""
        return f"{drafts} without a key in the task “{self.task}”{again}.{self._lost}"

    @property
    def _lost(self) -> str:
        if not self.lost:
            return ""
        return f" Of {self.lost} the clip is not in the edited video."


def copy_questions(workspace: Workspace, edit_id: int) -> Copies:
    """Copy what is asked about an edit's first parent to its video, as drafts for review.

    Copying again adds only what is new.

    Raises:
        LookupError: if there is no such edit.
        ValueError: if its video is not made yet.
    """
    edit = stored_edit(workspace, edit_id)
    if not edit.sha256:
        raise Refusal(f"{edit.name} is not made yet. Make it first.")
    sources = timelines(workspace, edit.parents)
    timeline = timeline_of(edit.recipe, sources)
    drafts: list[ItemDraft] = []
    lost = 0
    for question in workspace.store.rows(
        "SELECT q.*, c.start_s, c.end_s FROM asked_question q JOIN clip c ON c.id = q.clip_id"
        " JOIN video v ON v.id = c.video_id"
        " WHERE v.sha256 = ? AND json_array_length(q.options) > 1 ORDER BY q.question_id",
        [edit.parents[0]],
    ):
        span = carried_interval(timeline, sources[0], question["start_s"], question["end_s"])
        if span is None:
            lost += 1
        else:
            drafts.append(_draft(edit, question, span))
    if not drafts:
        return Copies(TASK, 0, 0, lost)
    task_id = create_task(workspace, TASK, KIND, SETTINGS, 1, rows=[])
    new = add_items(workspace, task_id, [PlannedItem(draft) for draft in drafts])
    return Copies(TASK, new, len(drafts) - new, lost)


def _draft(
    edit: StoredEdit, question: dict[str, Any], span: tuple[float, float | None]
) -> ItemDraft:
    options: list[str] = json.loads(question["options"])
    uid = f"{question['uid']}~{edit.recipe.label}"
    key = question["key"]
    return ItemDraft(
        f"copy:{uid}",
        video_id=edit.video_id,
        payload={
            "id": uid,
            "uid": uid,
            "keep_order": True,
            "text": question["text"],
            "options": options,
            "key": None,
            "struck": None if key is None else options[key],
            "category": question["category"],
            "tags": {
                **json.loads(question["tags"]), "edit": edit.recipe.label,
                "edit_of": question["uid"],
            },
            "clip": {"video": edit.sha256, "start": span[0], "end": span[1]},
        },
    )  # fmt: skip
