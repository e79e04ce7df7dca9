"""Publishing a data set: a folder that others can cite, load and run."""

import json
import os
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from annotations.publishing import published_rows as published_tables
from annotations.publishing.changelog import (
    CHANGES_FILE,
    changes,
    next_version,
    older_changes,
    state_of,
)
from annotations.publishing.croissant import croissant
from annotations.publishing.datasheet import (
    authors_answers,
    facts_in_words,
    read_publication,
    readme,
)
from annotations.publishing.harness_files import write_harnesses
from annotations.publishing.parquet_files import write_parquet
from annotations.publishing.published_rows import Published, file_path, published_rows
from annotations.publishing.published_splits import write_splits
from annotations.publishing.withdrawal import withdraw_videos
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.half_made import new_folder, others_at_work, put_back, replace_folder
from core.refusal import Refusal

VIDEOS = ("link", "copy", "none")


def publish(
    workspace: Workspace,
    folder: Path,
    *,
    videos: str = "link",
    version: str = "",
    withdraw: Collection[str] = (),
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Write the data set of a workspace to a folder, and return its counts.

    Args:
        workspace: what is published: questions that stand, votes, decisions, splits.
        folder: new, empty, or an earlier publication, which is replaced as a whole.
        videos: 'link' puts hard links where the disk allows and copies where not, 'copy' copies,
            'none' leaves links to the sources and content hashes only.
        version: such as '1.2'; '' for the next one.
        withdraw: names or content hashes of videos that are taken out, also of later versions.
        progress: told what is done.

    Raises:
        Refusal: if the folder holds something else or somebody else publishes to it, or there is
            no question.
    """
    if videos not in VIDEOS:
        raise Refusal(f"{videos!r} is no way to give videos. Allowed: {', '.join(VIDEOS)}.")
    folder = folder.expanduser().resolve()
    with new_folder(folder) as part:
        if others_at_work(part, folder):
            words = f"Somebody else is publishing to {folder}. Try again when they are done."
            raise Refusal(words)
        put_back(folder)
        earlier = read_publication(folder)
        if folder.exists() and earlier is None and (not folder.is_dir() or any(folder.iterdir())):
            words = f"{folder} holds other files. Name a new folder, or an earlier publication."
            raise Refusal(words)
        answers = authors_answers(workspace)
        with workspace.store.read() as database:
            gone = withdraw_videos(workspace, database, withdraw)
            published = published_rows(database, gone, answers["licence"])
            if not published.questions:
                raise Refusal("There is no question to publish. Import questions first.")
            _place_videos(workspace, published, part, videos, progress)
            version = version or next_version(earlier)
            name = workspace.settings.name
            asked = write_harnesses(part, name, version, published.questions)
            facts = facts_in_words(workspace, database, published, len(asked))
            kept = {row["question_id"] for row in published.questions}
            splits = write_splits(database, part, kept, gone)
        tables = _write_tables(part, published)
        configs = {table: path for table, (path, _) in tables.items()}
        text = readme(name, version, answers, facts, configs)
        (part / "README.md").write_text(text, encoding="utf-8")
        metadata = croissant(part, _facts(name, version, answers, facts), tables)
        _write_json(part / "croissant.json", metadata)
        state = state_of(version, published)
        changelog = f"{changes(earlier, state)}\n{older_changes(folder)}"
        (part / CHANGES_FILE).write_text(changelog, encoding="utf-8")
        _write_json(part / "publication.json", state)
        replace_folder(part, folder)
    return {
        "version": version, "questions": len(published.questions), "votes": len(published.votes),
        "decisions": len(published.decisions), "videos": len(published.videos),
        "missing_videos": len(published.missing), "withdrawn": len(published.withdrawn),
        "splits": splits, "in_harnesses": len(asked),
    }  # fmt: skip


def _place_videos(
    workspace: Workspace, published: Published, part: Path, how: str, progress: Progress
) -> None:
    """Put the files of videos into the folder, and say in the rows where they lie."""
    paths: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for count, row in enumerate(published.videos, start=1):
        original = workspace.media.find_original(row["sha256"]) if row["sha256"] else None
        if original is None:
            published.missing.append(row["video"])
        if original is None or how == "none":
            continue
        path = file_path(row["video"], original.suffix.lower())
        if path.casefold() in taken:
            path = file_path(f"{row['video']} {row['sha256'][:8]}", original.suffix.lower())
        taken.add(path.casefold())
        _place(original, part / path, copy=how == "copy")
        row["path"] = paths[row["video"], row["sha256"]] = path
        progress("Placing videos", count, len(published.videos))
    for row in published.questions:
        row["path"] = paths.get((row["video"], row["video_sha256"]), "")


def _place(original: Path, target: Path, *, copy: bool) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if not copy:
        try:
            os.link(original, target)
            return
        except OSError:
            pass  # another disk, or one without hard links
    shutil.copyfile(original, target)


def _write_tables(part: Path, published: Published) -> dict[str, tuple[str, dict[str, str]]]:
    tables = {
        "questions": (published_tables.QUESTION_COLUMNS, published.questions),
        "votes": (published_tables.VOTE_COLUMNS, published.votes),
        "decisions": (published_tables.DECISION_COLUMNS, published.decisions),
        "videos": (published_tables.VIDEO_COLUMNS, published.videos),
    }
    written: dict[str, tuple[str, dict[str, str]]] = {}
    for name, (columns, rows) in tables.items():
        if not rows and name in ("votes", "decisions"):
            continue  # a table without rows has nothing to load
        path = f"data/{name}/test.parquet"
        write_parquet(part / path, columns, rows)
        written[name] = (path, columns)
    return written


def _facts(
    name: str, version: str, answers: dict[str, str], facts: dict[str, list[str]]
) -> dict[str, str]:
    """What the metadata says: the authors' words, and the sentences made from what is stored."""
    return {
        "name": name, "version": version,
        "description": answers["purpose"] or " ".join(facts["Composition"][:2]),
        **{field: answers[field] for field in ("licence", "url", "citation", "creators")},
        "rai:dataCollection": " ".join(facts["Collection"]),
        "rai:dataAnnotationProtocol": " ".join(facts["Labelling"]),
        "rai:machineAnnotationTools": " ".join(facts["Uses"]),
        "rai:dataAnnotationPlatform": "Rushes",
        "rai:dataUseCases": answers["uses"],
        "rai:personalSensitiveInformation": answers["sensitive"],
        "rai:dataReleaseMaintenancePlan": answers["maintenance"],
    }  # fmt: skip


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
