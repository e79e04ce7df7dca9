"""Splits of labelled videos: what is left once objects alone solve a video for all nine models.

A stored split has its rule, the seeds and both kappas with it, and never changes.
"""

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from annotations.bias.instructions import Job
from annotations.bias.result import Result
from annotations.people import now_text
from annotations.workspace import Workspace
from core.bias import debiasing
from core.bias.representation import Bools, Ints
from core.refusal import Missing, Refusal
from db.connection import first_row

Rule = Literal["debiased", "balanced"]
RULES: tuple[Rule, ...] = get_args(Rule)
WORDS = {
    "debiased": "Removed where all nine models are right from objects alone (UTD 3.3.3), edits of "
    "a video with it.",
    "balanced": "As many removed, from each class in proportion to its size, those first that the "
    "nine are surest of (UTD 3.3.3), edits of a video with it.",
}


@dataclass(frozen=True)
class VideoSplit:
    """A split of labelled videos.

    Attributes:
        rule: 'debiased' or 'balanced', and `facts` all that it rests on.
        full: names of all test videos that the rule looked at, `kept` those that stay.
    """

    name: str
    rule: Rule
    job: Job
    full: tuple[str, ...]
    kept: tuple[str, ...]
    facts: dict[str, Any] = field(default_factory=dict[str, Any])

    def as_json(self) -> dict[str, Any]:
        """As `rushes split --json` prints it."""
        return {
            "name": self.name,
            "rule": self.rule,
            "job": self.job,
            "words": WORDS[self.rule],
            "videos": len(self.full),
            "kept": len(self.kept),
            "removed": len(self.full) - len(self.kept),
            **self.facts,
            "ids": list(self.kept),
            "full": list(self.full),
        }


def removed(result: Result, job: Job, rule: Rule) -> tuple[Ints, Bools, Ints]:
    """Positions of the test videos in a result, which of them a rule removes, and models right.

    A video with several captions is removed where all nine find it by each of them. A video and
    its edits stay or go together.

    Raises:
        Refusal: if the rule is not defined for these data.
    """
    figures = result.figures[job]
    if "nine" not in figures:
        raise Refusal(f"No split: {figures.get('reason') or figures['nine_reason']}.")
    right = np.asarray(result.arrays[f"{job}/nine/right"], np.bool_)
    video = np.asarray(result.arrays[f"{job}/video"], np.int64)
    families = np.asarray(result.arrays["family"], np.int64)
    solved = np.asarray(right.sum(axis=0), np.int64)
    if job == "classification":
        gone = debiasing.unanimous(right, families[video])
        if rule == "balanced":
            truth = np.asarray(result.arrays["truth"], np.int64)
            confidence = np.asarray(result.arrays[f"{job}/nine/confidence"], np.float64)
            classes = len(result.figures["classes"])
            gone = debiasing.balanced(int(gone.sum()), truth, confidence, classes, families[video])
        return video, gone, solved
    if rule == "balanced":
        raise Refusal("A balanced split keeps the shares of classes; retrieval has no classes.")
    videos, position = np.unique(video, return_inverse=True)
    least = np.full(len(videos), len(right), np.int64)
    np.minimum.at(least, position, solved)
    gone = debiasing.whole_families(least == len(right), families[videos])
    return videos, gone, least


def make_split(
    workspace: Workspace,
    name: str,
    result: Result,
    rule: Rule,
    job: Job | None = None,
    made_by: int | None = None,
) -> VideoSplit:
    """The split of a name, made and stored; where it is there with this very content, that one.

    Args:
        job: None for classification where there are classes, else retrieval.

    Raises:
        Refusal: for an empty name or one of another split, or if the rule is not defined.
    """
    title = " ".join(name.split())
    if not title:
        raise Refusal("The split has no name. Give it one, such as 'debiased'.")
    if rule not in RULES:
        raise Refusal(f"No rule {rule!r}. Allowed: {', '.join(RULES)}.")
    job = job or ("classification" if "nine" in result.figures["classification"] else "retrieval")
    position, gone, solved = removed(result, job, rule)
    facts = _facts(result, job)
    ids = np.asarray(result.arrays["video_id"], np.int64)[position]
    stored = json.dumps({"rule": rule, "job": job, **facts}, ensure_ascii=False, sort_keys=True)
    with workspace.store.write() as database:
        known_splits = first_row(database, "SELECT * FROM video_split WHERE name = ?", [title])
        if known_splits is None:
            _insert(database.conn, title, stored, made_by, [
                [int(video), int(count), int(not out)]
                for video, count, out in zip(ids, solved, gone, strict=True)
            ])  # fmt: skip
    if known_splits is not None and known_splits["rule"] != stored:
        raise Refusal(
            f"There is a split {title!r} already, of another rule or of other data, and splits "
            "never change. Choose another name."
        )
    return the_split(workspace, title)


def _insert(
    connection: sqlite3.Connection,
    name: str,
    rule: str,
    made_by: int | None,
    members: list[list[int]],
) -> None:
    added = connection.execute(
        "INSERT INTO video_split (name, rule, made_by, created_at) VALUES (?, ?, ?, ?)",
        [name, rule, made_by, now_text()],
    )
    connection.executemany(
        "INSERT INTO video_split_member (split_id, video_id, solved, kept) VALUES (?, ?, ?, ?)",
        [[int(added.lastrowid or 0), *member] for member in members],
    )


def _facts(result: Result, job: Job) -> dict[str, Any]:
    figures, nine = result.figures, result.figures[job]["nine"]
    settings = figures["settings"]
    learned = {name: settings[name] for name in ("bootstrap_seeds", "c", "iterations")}
    return {
        "descriptions": figures["descriptions"],
        "embeddings": figures["embeddings"]["model"],
        "kappa": nine["kappa"],
        "removed_by_chance": nine["removed_by_chance"],
        **(learned if job == "classification" else {}),
    }


def the_split(workspace: Workspace, name: str) -> VideoSplit:
    """The stored split of a name.

    Raises:
        Missing: if there is none.
    """
    splits = workspace.store.rows("SELECT * FROM video_split WHERE name = ?", [name])
    if not splits:
        raise Missing(f"There is no split {name!r}.")
    rows = workspace.store.rows(
        "SELECT v.name, m.kept FROM video_split_member m JOIN video v ON v.id = m.video_id"
        " WHERE m.split_id = ? ORDER BY v.id",
        [splits[0]["id"]],
    )
    facts = json.loads(splits[0]["rule"])
    rule, job = facts.pop("rule"), facts.pop("job")
    full = tuple(row["name"] for row in rows)
    kept = tuple(row["name"] for row in rows if row["kept"])
    return VideoSplit(splits[0]["name"], rule, job, full, kept, facts)


def split_names(workspace: Workspace) -> list[str]:
    """Names of the stored splits of videos, the newest first."""
    rows = workspace.store.rows("SELECT name FROM video_split ORDER BY id DESC")
    return [row["name"] for row in rows]


def published_lists(result: Result, names: dict[int, str], job: Job) -> dict[str, list[str]]:
    """Lists of ids as UTD publishes its splits: full, debiased, and debiased-balanced."""
    position, gone, _ = removed(result, job, "debiased")
    ids = np.asarray(result.arrays["video_id"], np.int64)[position].tolist()
    lists = {
        "full": [names[video] for video in ids],
        "debiased": [names[v] for v, out in zip(ids, gone.tolist(), strict=True) if not out],
    }
    if job == "classification":
        _, fair, _ = removed(result, job, "balanced")
        lists["debiased-balanced"] = [
            names[v] for v, out in zip(ids, fair.tolist(), strict=True) if not out
        ]
    return lists
