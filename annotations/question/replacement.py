"""Another video for a question: what authors decided to replace, the new clip, asked again."""

from dataclasses import dataclass, replace
from pathlib import Path

from annotations.people import Person
from annotations.question.reasking import Effect, effect_of
from annotations.question.revisions import NewRevision, add_revision, clip_id
from annotations.record.question import current_question
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row


@dataclass(frozen=True)
class Replacement:
    """A question whose video authors decided to replace.

    Attributes:
        uid: of the question.
        video: name of the video that it is about now.
        reason: why it is replaced.
        replaced: whether the question has got another clip since.
    """

    question_id: int
    uid: str
    text: str
    video: str
    reason: str
    replaced: bool


_DECIDED = """
  SELECT q.question_id, q.uid, q.text, v.name AS video, r.reason,
    q.clip_id <> (SELECT x.clip_id FROM question_revision x WHERE x.id = coalesce(
      (SELECT max(a.question_revision_id) FROM annotation a
       WHERE a.id IN (SELECT value FROM json_each(r.answers))),
      (SELECT min(y.id) FROM question_revision y WHERE y.question_id = q.question_id))) AS replaced
  FROM current_resolution r JOIN item i ON i.id = r.item_id
  JOIN current_question q ON q.question_id = i.question_id
  JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id
  WHERE r.outcome = 'replace_video' AND r.signed >= r.signatures
  GROUP BY q.question_id ORDER BY max(r.id)
"""


def replacements(workspace: Workspace) -> list[Replacement]:
    """Questions whose video authors decided to replace, in the order of the decisions."""
    return [
        Replacement(
            row["question_id"], row["uid"], row["text"], row["video"], row["reason"],
            bool(row["replaced"]),
        )
        for row in workspace.store.rows(_DECIDED)
    ]  # fmt: skip


def usable_videos(workspace: Workspace) -> list[str]:
    """Names of the videos that a question could be about, the newest first."""
    return [
        str(row["name"])
        for row in workspace.store.rows(
            "SELECT name FROM video WHERE status = 'usable' ORDER BY id DESC"
        )
    ]


def replace_clip(
    workspace: Workspace,
    question_id: int,
    video: str,
    start_s: float = 0.0,
    end_s: float | None = None,
    *,
    author: Person | None = None,
) -> Effect:
    """Ask a question about another clip, and what that did to its answers.

    The old clip, its answers and the decision stay in the history. Every task that asks the
    question hands it out again, those in which it was withdrawn for another video among them.

    Args:
        video: name of a usable video of the workspace.
        start_s: from where on, s; `end_s` to where, None to the end.
        author: who does it; None on the command line.

    Raises:
        LookupError: if there is no such question or video.
        ValueError: for somebody who is no author, a clip outside the video, or the clip it has.
    """
    if author is not None and not author.is_author:
        raise Refusal(f"{author.name} is no author; only authors replace videos.")
    with workspace.store.write() as database:
        question = current_question(database, question_id)
        if question is None:
            raise Missing(f"There is no question {question_id}.")
        row = first_row(
            database,
            "SELECT id, json_extract(facts, '$.duration_s') AS duration_s FROM video"
            " WHERE name = ? AND status = 'usable' ORDER BY id DESC",
            [video],
        )
        if row is None:
            raise Missing(
                f"There is no usable video {Path(video).name!r}. Import it first: rushes import."
            )
        _check_span(start_s, end_s, row["duration_s"])
        clip = clip_id(database, row["id"], start_s, end_s)
        if clip == question.clip_id:
            raise Refusal(f"{question.uid} is about this clip already. Choose another video.")
        effect = effect_of(database, question_id, "clip")
        values = replace(NewRevision.of(question), clip_id=clip)
        add_revision(database, question_id, values, "here", author=author)
    return effect


def _check_span(start_s: float, end_s: float | None, duration_s: float | None) -> None:
    end = duration_s if end_s is None else end_s
    beyond = duration_s is not None and (start_s >= duration_s or (end or 0) > duration_s + 0.05)
    if start_s < 0 or (end is not None and end <= start_s) or beyond:
        length = "" if duration_s is None else f" of a video of {duration_s:.2f} s"
        raise Refusal(
            f"The clip from {start_s:g} s to {'the end' if end_s is None else f'{end_s:g} s'} is no"
            f" stretch{length}. Give a start from 0 on and an end after it."
        )
