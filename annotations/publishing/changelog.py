"""What is other between two versions of a published data set."""

import hashlib
import json
from pathlib import Path
from typing import Any

from annotations.publishing.published_rows import Published

CHANGES_FILE = "CHANGES.md"
_CONTENT = ("question", "options", "video_sha256", "start_s", "end_s", "category")


def state_of(version: str, published: Published) -> dict[str, Any]:
    """What a later version is compared with."""
    return {
        "rushes_publication": 1,
        "version": version,
        "questions": {
            row["question_id"]: {
                "content": _digest([row[name] for name in _CONTENT]),
                "answer": row["answer"],
            }
            for row in published.questions
        },
        "withdrawn": published.withdrawn,
        "retired": published.retired,
    }


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def changes(earlier: dict[str, Any] | None, state: dict[str, Any]) -> str:
    """What is other than in the version before, as a part of the changelog."""
    lines = [f"# Version {state['version']}", ""]
    if earlier is None:
        return "\n".join([*lines, f"- First version: {len(state['questions']):,} questions.", ""])
    parts = changed_questions(earlier, state)
    lines += [
        f"- {len(uids):,} questions {what}: {', '.join(uids)}" for what, uids in parts.items()
    ]
    if not parts:
        lines.append(f"- Nothing changed in the questions since version {earlier['version']}.")
    return "\n".join([*lines, ""])


def changed_questions(earlier: dict[str, Any], state: dict[str, Any]) -> dict[str, list[str]]:
    """Ids of the questions that changed since an earlier version, by what happened to them."""
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
    return {what: uids for what, uids in parts.items() if uids}


def older_changes(folder: Path) -> str:
    """The changelog of an earlier publication in a folder; '' without one."""
    file = folder / CHANGES_FILE
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def next_version(earlier: dict[str, Any] | None) -> str:
    """The version after an earlier one: its last number raised by one; 1.0.0 is the first."""
    if earlier is None:
        return "1.0.0"
    *front, last = str(earlier["version"]).split(".")
    return ".".join([*front, str(int(last) + 1)]) if last.isdigit() else f"{earlier['version']}.1"
