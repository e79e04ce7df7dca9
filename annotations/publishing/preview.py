"""What a publication would hold, looked at before anything is written."""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from annotations.publishing.changelog import changed_questions, next_version, state_of
from annotations.publishing.datasheet import authors_answers, read_publication
from annotations.publishing.published_rows import published_rows
from annotations.publishing.published_splits import split_names
from annotations.publishing.withdrawal import withdrawn_videos
from annotations.workspace import Workspace

FOLDER = "published"
_VOTES = """
  SELECT count(*) AS answers,
    count(DISTINCT iif(p.kind = 'person', p.id, NULL)) AS people,
    count(DISTINCT iif(p.kind = 'model', p.id, NULL)) AS models
  FROM current_annotation a JOIN annotator p ON p.id = a.annotator_id
  JOIN item i ON i.id = a.item_id
  WHERE i.role = 'work' AND i.question_id IS NOT NULL
"""


@dataclass(frozen=True)
class Preview:
    """What would go out.

    Attributes:
        questions: that stand, with `unlabelled` of them without a key.
        videos: that they are about; `missing` are those whose files are not here.
        answers: of people and models to questions.
        retired: questions that are not in it, and those whose video is `withdrawn`.
        splits: names of the lists of ids.
        unlicensed: names of videos that state no licence, and the authors none for all.
        version: of the last publication; '' before the first.
        next_version: what the next one would be called.
        changed: ids of questions that changed since, by what happened.
    """

    questions: int
    unlabelled: int
    videos: int
    missing: int
    answers: int
    people: int
    models: int
    decisions: int
    retired: int
    withdrawn: int
    splits: tuple[str, ...]
    unlicensed: tuple[str, ...]
    version: str
    next_version: str
    changed: dict[str, list[str]]


def publication_folder(workspace: Workspace) -> Path:
    """Where the page Publish writes: a folder inside the workspace."""
    return workspace.root / FOLDER


def preview(workspace: Workspace) -> Preview:
    """What would go out if the workspace were published now."""
    licence = authors_answers(workspace)["licence"]
    earlier = read_publication(publication_folder(workspace))
    with workspace.store.read() as database:
        published = published_rows(database, withdrawn_videos(workspace), licence, with_votes=False)
        votes = database.conn.execute(_VOTES).fetchone()
        splits = split_names(database)
    state = state_of("", published)
    return Preview(
        questions=len(published.questions),
        unlabelled=sum(row["answer"] is None for row in published.questions),
        videos=len(published.videos),
        missing=sum(
            not row["sha256"] or workspace.media.find_original(row["sha256"]) is None
            for row in published.videos
        ),
        answers=votes["answers"],
        people=votes["people"],
        models=votes["models"],
        decisions=len(published.decisions),
        retired=len(published.retired),
        withdrawn=len(published.withdrawn),
        splits=splits,
        unlicensed=tuple(row["video"] for row in published.videos if not row["licence"]),
        version=str(earlier["version"]) if earlier else "",
        next_version=next_version(earlier),
        changed=changed_questions(earlier, state) if earlier else {},
    )


def video_bytes(folder: Path) -> int:
    """Size of the files of videos in a published folder."""
    return sum(path.stat().st_size for path in (folder / "videos").rglob("*") if path.is_file())


def archive(folder: Path, *, videos: bool) -> bytes:
    """A published folder as one zip file, with or without the files of videos."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and (videos or name.parts[0] != "videos"):
                kind = zipfile.ZIP_STORED if name.parts[0] == "videos" else zipfile.ZIP_DEFLATED
                file.write(path, name.as_posix(), kind)
    return target.getvalue()
