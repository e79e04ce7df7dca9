"""The datasheet of a data set, filled from what is stored; the rest asks the authors."""

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from sqlite_utils import Database

from annotations.publishing.published_rows import Published
from annotations.workspace import Workspace
from core.half_made import whole
from core.known_names import refuse_unknown
from core.number_text import percent_text
from core.refusal import Refusal

ANSWERS_FILE = "publication.toml"
TO_WRITE = "*To be written by the authors.*"
# Field of publication.toml, part of the sheet, question (Gebru et al. 2021).
QUESTIONS = (
    ("purpose", "Motivation", "For what purpose was the data set created?"),
    ("creators", "Motivation", "Who created it? (names, separated by ;)"),
    ("funding", "Motivation", "Who funded its creation?"),
    ("sensitive", "Composition", "Is anybody identifiable, or anything sensitive or offensive?"),
    ("consent", "Collection", "Did people agree to the collection and use of their data?"),
    ("ethics", "Collection", "Was there an ethical review?"),
    ("sampling", "Collection", "How were the videos chosen?"),
    ("uses", "Uses", "What should it be used for, and what not?"),
    ("licence", "Distribution", "Under which licence is it given out?"),
    ("url", "Distribution", "Where is it given out?"),
    ("citation", "Distribution", "How is it to be cited?"),
    ("maintenance", "Maintenance", "Who maintains it, and how can they be reached?"),
)  # fmt: skip
PARTS = ("Motivation", "Composition", "Collection", "Labelling", "Uses", "Distribution",
         "Maintenance")  # fmt: skip


def authors_answers(workspace: Workspace) -> dict[str, str]:
    """What the authors wrote in `publication.toml`; the file is made with its questions if lacking.

    Raises:
        Refusal: if it is no TOML, or holds an answer to no question of the sheet.
    """
    path = workspace.root / ANSWERS_FILE
    if not path.exists():
        keep_answers(workspace, {})
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} is not valid TOML: {error}. Mend it and publish again.") from error
    refuse_unknown(table, [name for name, _, _ in QUESTIONS], str(path))
    return {name: _one_line(table.get(name, "")) for name, _, _ in QUESTIONS}


def _one_line(value: object) -> str:
    texts = cast("list[object]", value) if isinstance(value, list) else [value]
    return " ".join("; ".join(map(str, texts)).split())


def keep_answers(workspace: Workspace, answers: Mapping[str, str]) -> None:
    """Write the authors' answers to `publication.toml`, each below its question."""
    lines = ["# Answers for the datasheet; rushes publish fills in what it knows by itself.", ""]
    for name, _, question in QUESTIONS:
        text = json.dumps(" ".join(answers.get(name, "").split()), ensure_ascii=False)
        lines += [f"# {question}", f"{name} = {text.replace(chr(127), '')}", ""]
    with whole(workspace.root / ANSWERS_FILE) as part:
        part.write_text("\n".join(lines), encoding="utf-8", errors="replace")


def facts_in_words(
    workspace: Workspace, database: Database, published: Published, asked: int
) -> dict[str, list[str]]:
    """Sentences that follow from what is stored, by part of the sheet; each shows its numbers."""
    questions, videos = published.questions, published.videos
    categories = Counter(row["category"] or "none" for row in questions)
    options = Counter(len(row["options"]) for row in questions)
    unlabelled = sum(row["answer"] is None for row in questions)
    composition = [
        f"{len(questions):,} questions about {len(videos):,} videos.",
        "Questions by category: " + _counted(categories) + "." if questions else "",
        "Options: " + ", ".join(f"{n:,} questions with {k}" for k, n in sorted(options.items()))
        + "." if options else "",
        f"{unlabelled:,} questions have no key." if unlabelled else "Every question has a key.",
        f"{len(published.retired):,} questions were retired and are not in it."
        if published.retired else "",
        f"{len(published.withdrawn):,} questions are left out because their video was withdrawn."
        if published.withdrawn else "",
        f"The files of {len(published.missing):,} videos are not in the folder."
        if published.missing else "",
        f"The folders for harnesses ask {asked:,} questions: those about whole videos with a key.",
    ]  # fmt: skip
    return {
        "Composition": [text for text in composition if text],
        "Collection": _collection(published),
        "Labelling": _labelling(workspace, database, published),
        "Uses": _runs(database),
        "Distribution": _licences(published),
    }


def _collection(published: Published) -> list[str]:
    linked = sum(bool(row["source_url"]) for row in published.videos)
    seconds = [row["duration_s"] for row in published.videos if row["duration_s"]]
    lines = [f"{linked:,} of {len(published.videos):,} videos name the page they came from."]
    if seconds:
        lines.append(
            f"Videos last {min(seconds):.1f} to {max(seconds):.1f} s, "
            f"{sum(seconds) / 3600:.2f} hours together."
        )
    return lines


def _labelling(workspace: Workspace, database: Database, published: Published) -> list[str]:
    people = [vote for vote in published.votes if vote["annotator_kind"] == "person"]
    counted = [vote for vote in people if vote["counted"] and vote["skip_reason"] is None]
    hours = sum(vote["active_s"] for vote in people) / 3600
    names = {vote["annotator"] for vote in people}
    lines = [
        f"{len(names):,} people gave {len(counted):,} counted answers to questions in "
        f"{hours:.2f} hours of active time, at {workspace.settings.rate:g} "
        f"{workspace.settings.currency} an hour."
        if names else "No person has answered a question."
    ]  # fmt: skip
    shared = [row for row in published.questions if row["votes"] > 1]
    if shared:
        same = sum(row["agreement"] == 1 for row in shared)
        lines.append(
            f"{len(shared):,} questions have answers of two people or more; in {same:,} "
            f"({percent_text(same / len(shared))}) all agree."
        )
    outcomes = Counter(row["outcome"].replace("_", " ") for row in published.decisions)
    lines.append(
        f"{outcomes.total():,} disagreements were settled by authors: {_counted(outcomes)}."
        if outcomes else "No disagreement was settled by authors."
    )  # fmt: skip
    for row in database.conn.execute(
        "SELECT r.reason, q.uid FROM current_resolution r JOIN item i ON i.id = r.item_id"
        " JOIN question q ON q.id = i.question_id WHERE r.outcome = 'retire' ORDER BY r.id LIMIT 20"
    ):
        lines.append(f"Retired: {row['uid']}: {row['reason'] or 'no reason given'}.")
    return lines


def _runs(database: Database) -> list[str]:
    rows = database.conn.execute(
        "SELECT p.name, t.name AS task, count(y.annotation_id) AS replies FROM run r"
        " JOIN annotator p ON p.id = r.annotator_id JOIN task t ON t.id = r.task_id"
        " LEFT JOIN prediction y ON y.run_id = r.id GROUP BY r.id ORDER BY r.id"
    ).fetchall()
    return [
        f"Answered by {row['name']} in “{row['task']}”: {row['replies']:,} replies."
        for row in rows if row["replies"]
    ] or ["No model has answered it here."]  # fmt: skip


def _licences(published: Published) -> list[str]:
    licences = Counter(row["licence"] or "not stated" for row in published.videos)
    return [f"Licences of the videos: {_counted(licences)}."] if licences else []


def _counted(counts: Mapping[str, int]) -> str:
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{_inert(name)} {count:,}" for name, count in ranked)


def _inert(text: str) -> str:
    """Text that Markdown shows as it is."""
    plain = " ".join(text.split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#~$" else c for c in plain)


def readme(
    name: str,
    version: str,
    answers: Mapping[str, str],
    facts: Mapping[str, list[str]],
    configs: Mapping[str, str],
) -> str:
    """The data card: a head that `datasets` reads, and the datasheet."""  # fmt: skip
    head = ["---", f"pretty_name: {json.dumps(name)}"]
    head += ["configs:"]
    for config, path in configs.items():
        head += [f"- config_name: {config}"]
        head += ["  default: true"] if config == "questions" else []
        head += ["  data_files:", "  - split: test", f"    path: {path}"]
    lines = [*head, "---", "", f"# {_inert(name)}", "", f"Version {_inert(version)}.", ""]
    lines += ["```python", "from datasets import load_dataset", "",
              'questions = load_dataset("FOLDER", split="test")  # FOLDER: where this file lies',
              'votes = load_dataset("FOLDER", "votes", split="test")', "```", "",
              "## Datasheet"]  # fmt: skip
    for part in PARTS:
        lines += ["", f"### {part}", ""]
        lines += [f"- {sentence}" for sentence in facts.get(part, [])]
        for field, where, question in QUESTIONS:
            if where == part:
                lines += ["", f"**{question}**", "", _inert(answers[field]) or TO_WRITE]
    return "\n".join(lines) + "\n"


def read_publication(folder: Path) -> dict[str, Any] | None:
    """What an earlier publication in a folder said of itself; None if there is none."""
    file = folder / "publication.json"
    try:
        value: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    known = isinstance(value, dict) and "rushes_publication" in value
    return cast("dict[str, Any]", value) if known else None
