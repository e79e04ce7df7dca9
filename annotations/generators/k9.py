"""Questions from a video with a knowledge base, its narration, and four distractors.

Method: K9-Bench 3.3.
"""

import json
from itertools import pairwise
from typing import Any, cast

from annotations import author_lists
from annotations.generation.generator import Draft, Results, Step, Subject, Unfit
from annotations.generation.replies import all_differ, json_value, share_named, short, text_field
from annotations.workspace import Workspace
from core.question.words import length_in_words
from core.refusal import Refusal

TITLE = "From videos with a knowledge base (K9)"
HELP = "Up to eight questions for each video, with distractors from a narration of its scenes."
SETTINGS: dict[str, Any] = {"knowledge": "", "categories": "temporal", "frames": 16}
KEEP = [4, 3]
MOST_QUESTIONS, DISTRACTORS = 8, 4
LEAST_COVERED = 0.9
SAME_WORDS = 0.9
FORBIDDEN = ("when ", "how many ", "how much ", "at what time ", "at which time ")


def subjects(workspace: Workspace, settings: dict[str, Any]) -> list[Subject]:
    """Every usable video, with its length.

    Raises:
        Refusal: where there is none.
    """
    del settings
    rows = workspace.store.rows(
        "SELECT min(id) AS id, name, sha256, json_extract(facts, '$.duration_s') AS duration_s"
        " FROM video WHERE status = 'usable' GROUP BY sha256 ORDER BY min(id)"
    )
    if not rows:
        raise Refusal("There are no usable videos. Import a folder of them: rushes import.")
    return [
        Subject(
            f"video:{row['sha256'][:16]}", row["name"], row["id"], row["sha256"],
            facts={"duration_s": float(row["duration_s"] or 0)},
        )
        for row in rows
    ]  # fmt: skip


def _categories(settings: dict[str, Any]) -> dict[str, str]:
    """Labels of the categories by id."""
    named = settings["categories"]
    listed = (
        author_lists.load("templates", named)["categories"] if isinstance(named, str) else named
    )
    return {entry["id"]: entry["label"] for entry in listed}


def _fill_questions(subject: Subject, results: Results, settings: dict[str, Any]) -> dict[str, str]:
    del results
    listed = "\n".join(f"- {key}: {label}" for key, label in _categories(settings).items())
    return {"knowledge": settings["knowledge"] or "(none)", "categories": listed,
            "duration": f"{subject.facts['duration_s']:.1f}"}  # fmt: skip


def _read_questions(
    reply: str, subject: Subject, results: Results, settings: dict[str, Any]
) -> list[dict[str, str]]:
    del subject, results
    allowed = _categories(settings)
    entries = cast("list[object]", json_value(reply, list))
    if not 1 <= len(entries) <= MOST_QUESTIONS:
        raise Unfit(f"{len(entries)} questions came; write 1 to {MOST_QUESTIONS}.")
    questions: list[dict[str, str]] = []
    for entry in entries:
        fields = {name: text_field(entry, name) for name in ("category", "question", "answer")}
        if fields["category"] not in allowed:
            raise Unfit(f"“{fields['category']}” is no category; allowed: {', '.join(allowed)}.")
        if fields["question"].casefold().startswith(FORBIDDEN):
            raise Unfit(f"“{fields['question']}” asks for a time or a number; do not.")
        short(fields["answer"])
        twin = next((earlier for earlier in questions if _same(earlier, fields)), None)
        if twin is not None:
            raise Unfit(
                f"“{fields['question']}” and “{twin['question']}” ask the same; ask each once."
            )
        questions.append(fields)
    return questions


def _same(entry: dict[str, str], other_entry: dict[str, str]) -> bool:
    """Whether two questions ask with nearly the same words."""
    asked, again = entry["question"], other_entry["question"]
    return min(share_named(asked, again), share_named(again, asked)) >= SAME_WORDS


def _stand_in_questions(subject: Subject, results: Results) -> str:
    del subject, results
    return (
        '[{"category": "direction", "question": "Which way does the stand-in look?",'
        ' "answer": "to the far left side"}]'
    )


def _fill_narration(subject: Subject, results: Results, settings: dict[str, Any]) -> dict[str, str]:
    del results, settings
    return {"duration": f"{subject.facts['duration_s']:.1f}"}


def _read_narration(
    reply: str, subject: Subject, results: Results, settings: dict[str, Any]
) -> dict[str, Any]:
    del results, settings
    value = json_value(reply, dict)
    duration: float = subject.facts["duration_s"]
    scenes: list[dict[str, Any]] = []
    listed = value.get("scenes")
    for entry in cast("list[Any]", listed) if isinstance(listed, list) else []:
        start, end = (_seconds(entry, edge) for edge in ("start", "end"))
        if not 0 <= start < end <= duration + 0.5:
            raise Unfit(f"A scene from {start:g} to {end:g} s is not in the {duration:.1f} s.")
        scenes.append({"start": start, "end": end, "narration": text_field(entry, "narration")})
    if not scenes:
        raise Unfit("There are no scenes.")
    for earlier, later in pairwise(scenes):
        if later["start"] < earlier["end"] - 1e-6:
            raise Unfit(f"The scene from {later['start']:g} s overlaps the one before it.")
    covered = sum(scene["end"] - scene["start"] for scene in scenes)
    if duration and covered < LEAST_COVERED * duration:
        raise Unfit(f"The scenes cover {covered:.1f} of {duration:.1f} s; cover all of it.")
    return {"description": text_field(value, "description"), "scenes": scenes}


def _seconds(entry: object, name: str) -> float:
    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unfit(f"A scene's “{name}” is {value!r}; write seconds as a number.")
    return float(value)


def _stand_in_narration(subject: Subject, results: Results) -> str:
    del results
    duration = subject.facts["duration_s"]
    return (
        '{"description": "A stand-in describes nothing.", "scenes": [{"start": 0, "end":'
        f' {duration}, "narration": "Something happens."}}]}}'
    )


def _fill_distractors(
    subject: Subject, results: Results, settings: dict[str, Any]
) -> dict[str, str]:
    del subject, settings
    asked = "\n".join(
        f"{number}. {entry['question']} Answer: {entry['answer']}"
        for number, entry in enumerate(results["questions"], start=1)
    )
    story = "\n".join(
        f"[{scene['start']:.1f}-{scene['end']:.1f}] {scene['narration']}"
        for scene in results["narration"]["scenes"]
    )
    return {"questions": asked, "narration": story}


def _read_distractors(
    reply: str, subject: Subject, results: Results, settings: dict[str, Any]
) -> list[list[str]]:
    del subject, settings
    entries = cast("list[object]", json_value(reply, list))
    asked = results["questions"]
    if len(entries) != len(asked):
        raise Unfit(f"{len(entries)} questions came back; {len(asked)} were given.")
    distractors: list[list[str]] = []
    for entry, question in zip(entries, asked, strict=True):
        for name in ("question", "answer"):
            if text_field(entry, name) != question[name]:
                raise Unfit(f"The {name} “{question[name]}” came back changed; repeat it as it is.")
        listed = cast("dict[str, Any]", entry).get("distractors")
        wrong = (
            [str(text) for text in cast("list[Any]", listed)] if isinstance(listed, list) else []
        )
        if len(wrong) != DISTRACTORS:
            raise Unfit(
                f"{len(wrong)} distractors for “{question['question']}”; write {DISTRACTORS}."
            )
        all_differ([question["answer"], *wrong])
        for text in wrong:
            ratio = length_in_words(short(text)) / length_in_words(question["answer"])
            if not 0.5 <= ratio <= 2:
                raise Unfit(f"“{text}” is {ratio:.1f} times as long as the answer; 0.5 to 2.")
        distractors.append(wrong)
    return distractors


def _stand_in_distractors(subject: Subject, results: Results) -> str:
    del subject
    wrong = [
        "to the far right side",
        "straight up and away",
        "down at the ground",
        "all around behind itself",
    ]
    return json.dumps([{**question, "distractors": wrong} for question in results["questions"]])


STEPS = (
    Step("questions", "video_questions", ("knowledge", "categories", "duration"),
         _fill_questions, _read_questions, _stand_in_questions, frames=16),
    Step("narration", "narration", ("duration",), _fill_narration, _read_narration,
         _stand_in_narration, frames=16),
    Step("distractors", "distractors", ("questions", "narration"), _fill_distractors,
         _read_distractors, _stand_in_distractors),
)  # fmt: skip


def drafts(subject: Subject, results: Results) -> list[Draft]:
    """A draft for each question: its answer is the key, with four distractors."""
    return [
        Draft(
            f"{subject.id}:{number}",
            {
                "text": question["question"],
                "options": [question["answer"], *wrong],
                "key": 0,
                "category": question["category"],
                "tags": {},
            },
        )
        for number, (question, wrong) in enumerate(
            zip(results["questions"], results["distractors"], strict=True), start=1
        )
    ]
