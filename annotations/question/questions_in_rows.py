"""Items of question review: questions of the workspace or of rows, or clips to write on."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from annotations.reading.answer_key import read_key
from annotations.reading.options import check_options, read_options
from annotations.reading.records import Fault
from annotations.task import ItemDraft
from annotations.video.clips_in_rows import Videos, items_of_rows, text_of
from annotations.workspace import Workspace

Row = dict[str, Any]


def question_drafts(workspace: Workspace, rows: Sequence[Row] | None) -> list[ItemDraft]:
    """Items of questions with options: of the workspace in the order of import, or of rows.

    A row has "question", "video" (and "start", "end"), and either "answer" with "negatives" or
    "options" with "key" (from 0, a letter, or the option's text); "category" and "id" if it likes.

    Raises:
        ValueError: for a row that is none.
    """
    if rows is None:
        return list(_stored(workspace))
    videos = Videos(workspace)
    return items_of_rows(rows, lambda number, row: _question(videos, row, number))


def _stored(workspace: Workspace) -> Iterable[ItemDraft]:
    for row in workspace.store.rows(
        "SELECT q.uid, q.question_id, c.video_id FROM asked_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
        " WHERE v.status = 'usable' AND json_array_length(q.options) > 1 ORDER BY q.question_id"
    ):
        yield ItemDraft(f"question:{row['uid']}", row["question_id"], row["video_id"])


def _question(videos: Videos, row: Row, number: int) -> ItemDraft:
    clip = videos.clip(row)
    options, key = _options(row)
    uid = text_of(row, "id") or f"{clip.name} {number}"
    return ItemDraft(
        f"generated:{uid}",
        video_id=clip.video_id,
        payload={
            "id": uid,
            "text": text_of(row, "question", required=True),
            "options": options,
            "key": key,
            "category": text_of(row, "category"),
            "clip": clip.payload,
        },
    )


def _options(row: Row) -> tuple[list[str], int | None]:
    """The options, the right one first where it is given apart; and its place."""
    if row.get("negatives") not in (None, "", []):
        answer = text_of(row, "answer", required=True)
        negatives = _listed(row["negatives"], "negatives")
        if answer in negatives:
            raise Fault(
                "the answer is among the negatives", column="negatives", value=answer,
                allowed="wrong options only", todo="Leave it out there.",
            )  # fmt: skip
        return [answer, *negatives], 0
    options = _listed(row.get("options"), "options")
    check_options(options)
    return options, _key(row, options)


def _listed(value: object, field: str) -> list[str]:
    entries = cast("list[object]", value) if isinstance(value, list) else []
    if len(entries) == 1:
        return [str(entries[0])]
    try:
        return read_options(cast("object", value))
    except Fault as fault:
        raise Fault(
            fault.what, column=field, value=cast("object", value), allowed=fault.allowed,
            todo=fault.todo,
        ) from fault  # fmt: skip


def _key(row: Row, options: Sequence[str]) -> int | None:
    """The key's place: a whole number counts from 0; a text is an option's text or its letter."""
    field = "key" if row.get("key") not in (None, "") else "answer"
    value = row.get(field)
    style = "0" if type(value) is int else "letters"
    try:
        return read_key(value, options, style)
    except Fault as fault:
        raise Fault(
            fault.what, column=field, value=value, allowed=fault.allowed, todo=fault.todo
        ) from fault


def clip_drafts(workspace: Workspace, rows: Sequence[Row] | None) -> list[ItemDraft]:
    """Items of clips to write questions on: every usable video, or those of rows.

    Raises:
        ValueError: for a row that is none.
    """
    videos = Videos(workspace)
    if rows is None:
        usable = workspace.store.rows(
            "SELECT min(id) AS id, name, sha256 FROM video WHERE status = 'usable'"
            " GROUP BY sha256 ORDER BY min(id)"
        )
        return [
            ItemDraft(
                f"clip:{draft['name']}",
                video_id=draft["id"],
                payload={"clip": {"video": draft["sha256"], "start": 0.0, "end": None}},
            )
            for draft in usable
        ]

    def item(_: int, row: dict[str, Any]) -> ItemDraft:
        clip = videos.clip(row)
        span = "" if clip.payload["end"] is None else f" {clip.start_s:g}-{clip.end_s:g}"
        uid = text_of(row, "id") or f"{clip.name}{span}"
        return ItemDraft(f"clip:{uid}", None, clip.video_id, {"clip": clip.payload})

    return items_of_rows(rows, item)
