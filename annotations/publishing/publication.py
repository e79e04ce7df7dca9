"""Publishing a data set: a folder that others can cite, load and run."""

import hashlib
import json
import os
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from annotations.publishing import published_rows as published_tables
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
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.refusal import Refusal

VIDEOS = ("link", "copy", "none")
WITHDRAWN_FILE = "withdrawn.json"
CHANGES_FILE = "CHANGES.md"


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
        Refusal: if the folder holds something else, or there is no question.
    """
    if videos not in VIDEOS:
        raise Refusal(f"{videos!r} is no way to give videos. Allowed: {', '.join(VIDEOS)}.")
    folder = folder.expanduser().resolve()
    earlier = read_publication(folder)
    if folder.exists() and earlier is None and (not folder.is_dir() or any(folder.iterdir())):
        raise Refusal(f"{folder} holds other files. Name a new folder, or an earlier publication.")
    answers = authors_answers(workspace)
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        with workspace.store.read() as database:
            gone = _withdrawn(workspace, database, withdraw)
            published = published_rows(database, gone, answers["licence"])
            if not published.questions:
                raise Refusal("There is no question to publish. Import questions first.")
            _place_videos(workspace, published, part, videos, progress)
            version = version or _next_version(earlier)
            name = workspace.settings.name
            asked = write_harnesses(part, name, version, published.questions)
            facts = facts_in_words(workspace, database, published, len(asked))
            splits = _write_splits(database, part, published)
        tables = _write_tables(part, published)
        configs = {table: path for table, (path, _) in tables.items()}
        text = readme(name, version, answers, facts, configs)
        (part / "README.md").write_text(text, encoding="utf-8")
        metadata = croissant(part, _facts(name, version, answers, facts), tables)
        _write_json(part / "croissant.json", metadata)
        state = _state(version, published)
        changes = _changes(earlier, state)
        older = _older_changes(folder)
        (part / CHANGES_FILE).write_text(f"{changes}\n{older}", encoding="utf-8")
        _write_json(part / "publication.json", state)
        _replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return {
        "version": version, "questions": len(published.questions), "votes": len(published.votes),
        "decisions": len(published.decisions), "videos": len(published.videos),
        "missing_videos": len(published.missing), "withdrawn": len(published.withdrawn),
        "splits": splits, "in_harnesses": len(asked),
    }  # fmt: skip


def _withdrawn(workspace: Workspace, database: Any, more: Collection[str]) -> set[str]:
    """Names and hashes of withdrawn videos, remembered in the workspace."""
    file = workspace.root / WITHDRAWN_FILE
    known: set[str] = set(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else set()
    for video in more:
        row = database.conn.execute(
            "SELECT 1 FROM video WHERE name = ? OR (sha256 = ? AND sha256 <> '')", [video, video]
        ).fetchone()
        if row is None:
            raise Refusal(
                f"There is no video {video!r} to withdraw. Name it as on the page Videos."
            )
    if set(more) - known:
        known |= set(more)
        _write_json(file, sorted(known))
    return known


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


def _write_splits(database: Any, part: Path, published: Published) -> int:
    """Write the splits made here as lists of ids, and return how many there are."""
    kept = {row["question_id"] for row in published.questions}
    rows = database.conn.execute("SELECT id, name, words, rule FROM split ORDER BY id").fetchall()
    for row in rows:
        ids = [
            str(found["uid"])
            for found in database.conn.execute(
                "SELECT q.uid FROM split_question s JOIN question q ON q.id = s.question_id"
                " WHERE s.split_id = ? AND s.kept = 1 ORDER BY q.id",
                [row["id"]],
            )
            if found["uid"] in kept
        ]
        name = file_path(row["name"], ".json").removeprefix("videos/").replace("/", "_")
        target = part / "splits" / name
        target.parent.mkdir(exist_ok=True)
        _write_json(target, {
            "name": row["name"], "how": row["words"], "rule": json.loads(row["rule"]),
            "question_ids": ids,
        })  # fmt: skip
    return len(rows)


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


def _state(version: str, published: Published) -> dict[str, Any]:
    """What a later version is compared with."""
    return {
        "rushes_publication": 1,
        "version": version,
        "questions": {
            row["question_id"]: {
                "content": _digest([row[name] for name in ("question", "options", "video_sha256",
                                                           "start_s", "end_s", "category")]),
                "answer": row["answer"],
            }
            for row in published.questions
        },
        "withdrawn": published.withdrawn,
        "retired": published.retired,
    }  # fmt: skip


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _changes(earlier: dict[str, Any] | None, state: dict[str, Any]) -> str:
    """What is other than in the version before, as a part of the changelog."""
    lines = [f"# Version {state['version']}", ""]
    if earlier is None:
        return "\n".join([*lines, f"- First version: {len(state['questions']):,} questions.", ""])
    old, new = earlier["questions"], state["questions"]
    gone = [uid for uid in old if uid not in new]
    parts = {
        "new": [uid for uid in new if uid not in old],
        "taken out, since their video was withdrawn": [
            uid for uid in gone if uid in state["withdrawn"]
        ],
        "retired": [uid for uid in gone if uid in state["retired"]],
        "taken out": [uid for uid in gone if uid not in {*state["withdrawn"], *state["retired"]}],
        "with another key": [
            uid for uid in new if uid in old and old[uid]["answer"] != new[uid]["answer"]
        ],
        "with another text, options, category, clip or video": [
            uid for uid in new if uid in old and old[uid]["content"] != new[uid]["content"]
        ],
    }
    for what, uids in parts.items():
        if uids:
            lines.append(f"- {len(uids):,} questions {what}: {', '.join(uids)}")
    if len(lines) == 2:
        lines.append(f"- Nothing changed in the questions since version {earlier['version']}.")
    return "\n".join([*lines, ""])


def _older_changes(folder: Path) -> str:
    file = folder / CHANGES_FILE
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _next_version(earlier: dict[str, Any] | None) -> str:
    if earlier is None:
        return "1.0.0"
    *front, last = str(earlier["version"]).split(".")
    return ".".join([*front, str(int(last) + 1)]) if last.isdigit() else f"{earlier['version']}.1"


def _replace(part: Path, folder: Path) -> None:
    """Put the finished folder in the place of an earlier one."""
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    part.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
