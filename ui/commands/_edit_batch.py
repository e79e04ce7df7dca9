"""`rushes edit` with several videos or edits: all of them made, one that fails told and passed."""

import argparse
import json
import sys

from annotations.edit.batch import Batch, plan_batch, standing
from annotations.edit.edit_store import TABLE, stored_edits
from annotations.edit.make_edits import make_waiting
from annotations.edit.question_copies import copy_questions
from annotations.edit.work_rows import MADE, release
from annotations.record.video import usable_videos
from annotations.workspace import Workspace
from core.editing.recipe import Recipe, make_recipe


def make_batch(workspace: Workspace, arguments: argparse.Namespace) -> int:
    """Make what is not made yet; asked for again, it goes on. The status is 1 if any failed."""
    batch = plan_batch(
        workspace, _videos(workspace, arguments), _recipes(arguments),
        others=arguments.others or [],
    )  # fmt: skip
    release(workspace, TABLE, list(batch.edits))
    make_waiting(workspace, batch.edits, lambda words: print(words, file=sys.stderr, flush=True))
    stand = standing(workspace, batch.edits)
    made = [edit for edit in reversed(stored_edits(workspace))
            if edit.id in batch.edits and edit.status == MADE]  # fmt: skip
    copies = [copy_questions(workspace, edit.id) for edit in made] if arguments.questions else []
    if arguments.json:
        print(json.dumps({
            "made": [{"video": edit.name, "sha256": edit.sha256, "parent": edit.parent_names[0],
                      "edit": edit.recipe.label} for edit in made],
            "failed": [{"parent": edit.parent_names[0], "edit": edit.recipe.label,
                        "reason": edit.reason} for edit in stand.failed]
                      + [{"parent": video, "edit": label, "reason": reason}
                         for video, label, reason in batch.refused],
            "drafts": sum(copy.new for copy in copies),
        }, ensure_ascii=False))  # fmt: skip
    else:
        print(stand.words if stand.total else "0 copies.")
        if copies:
            print(f"{sum(copy.new for copy in copies):,} drafts in the task “{copies[0].task}”.")
    _say_refused(batch)
    return 1 if batch.refused or len(made) < len(batch.edits) else 0


def _videos(workspace: Workspace, arguments: argparse.Namespace) -> list[str]:
    if not arguments.all:
        return list(arguments.videos)
    copies = {edit.sha256 for edit in stored_edits(workspace)}
    with workspace.store.single() as database:
        videos = {video.sha256: video.name for video in usable_videos(database)}
    return [sha256 for sha256 in videos if sha256 not in copies]


def _recipes(arguments: argparse.Namespace) -> list[Recipe]:
    """One for each edit, or one for the chain of them."""
    chains = [[step] for step in arguments.steps] if arguments.apart else [arguments.steps]
    return [
        make_recipe(chain, sound=not arguments.silent, marks_damage=arguments.mark_damage)
        for chain in chains
    ]


def _say_refused(batch: Batch) -> None:
    for video, label, reason in batch.refused:
        print(f"{video}, {label}: {reason}", file=sys.stderr)
