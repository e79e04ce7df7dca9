"""A workspace with very many predictions, put straight into its database, for benchmarks."""

import json
import random
import time
from pathlib import Path

from annotations.demo.setup import make_demo
from annotations.people import now_text
from annotations.run.runs import condition_task, ensure_run
from annotations.workspace import Workspace

CONDITIONS = ("16 frames", "1 random frame", "16 shuffled frames", "full video", "text only")
MODELS = tuple(f"model {chr(97 + i)}" for i in range(12))
REPLY = (
    "Looking at the frames in order, the object first stays where it is, then moves, and the "
    "frames after that show the same movement again. Of the options given the one that fits "
    "what is seen best is {letter}."
)


def make_many(root: Path, questions: int = 1700) -> Workspace:
    """The demo with so many questions on its clips, each answered by 12 models in 5 conditions."""
    workspace = make_demo(root, lambda words: None)
    chance = random.Random("many")
    _add_questions(workspace, questions, chance)
    for condition in CONDITIONS:
        _add_runs(workspace, condition_task(workspace, condition), condition, chance)
    return workspace


def _add_questions(workspace: Workspace, wanted: int, chance: random.Random) -> None:
    categories = ("count", "direction", "rotation", "shape&trend", "visual_cues", "velocity")
    with workspace.store.write() as database:
        execute = database.conn.execute
        clips = [
            row[0]
            for row in execute(
                "SELECT c.id FROM clip c JOIN video v ON v.id = c.video_id WHERE v.status ="
                " 'usable' ORDER BY c.id"
            )
        ]
        have = execute("SELECT count(*) FROM question").fetchone()[0]
        for number in range(wanted - have):
            question = execute(
                "INSERT INTO question (uid, source, created_at) VALUES (?, 'made', ?) RETURNING id",
                [f"made/{number}", now_text()],
            ).fetchone()[0]
            options = [f"It moves {way}, the {number}th time." for way in ("up", "down", "left")]
            execute(
                "INSERT INTO question_revision (question_id, revision, clip_id, text, options,"
                " key, category, tags, created_at) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)",
                [
                    question, clips[number % len(clips)],
                    f"Which way does the thing in the middle move, and how often ({number})?",
                    json.dumps([*options, "It stays."]), chance.randrange(4),
                    categories[number % len(categories)],
                    json.dumps({"view": ("first person", "third person")[number % 2]}), now_text(),
                ],
            )  # fmt: skip


def _add_runs(workspace: Workspace, task_id: int, condition: str, chance: random.Random) -> None:
    runs = [ensure_run(workspace, model, task_id) for model in MODELS]
    items = workspace.store.rows(
        "SELECT i.id, i.uid, q.id AS revision, q.options, q.key, v.sha256, q.uid AS question"
        " FROM item i JOIN current_question q ON q.question_id = i.question_id"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id WHERE i.task_id = ?"
        " AND i.role = 'work'",
        [task_id],
    )
    shown = [_shown(workspace, condition, item) for item in items]
    now = time.time()
    for run_id in runs:
        right = chance.uniform(0.3, 0.7)
        with workspace.store.write() as database:
            execute = database.conn.execute
            annotator = execute("SELECT annotator_id FROM run WHERE id = ?", [run_id]).fetchone()[0]
            for item, seen in zip(items, shown, strict=True):
                count = len(json.loads(item["options"]))
                key = item["key"] or 0
                state, choice = "read", key if chance.random() < right else chance.randrange(count)
                if chance.random() < 0.03:
                    state, choice = chance.choice(("unread", "refused", "several", "empty")), None
                letter = "none" if choice is None else chr(65 + choice)
                made = execute(
                    "INSERT INTO annotation (uid, item_id, annotator_id, revision,"
                    " question_revision_id, task_kind, schema_version, response, shown, counted,"
                    " active_s, answered_at, stored_at) VALUES (?, ?, ?, 1, ?, 'human_evaluation',"
                    " 1, ?, ?, 0, 1.0, ?, ?)",
                    [
                        f"{run_id}-{item['id']}", item["id"], annotator, item["revision"],
                        json.dumps({"choice": choice}), seen, now, now,
                    ],
                )  # fmt: skip
                execute(
                    "INSERT INTO prediction (annotation_id, run_id, reply, state, rule, words)"
                    " VALUES (?, ?, ?, ?, 'letter at the end', 'the reply ends with a letter')",
                    [made.lastrowid, run_id, REPLY.format(letter=letter), state],
                )


def _shown(workspace: Workspace, condition: str, item: dict[str, str]) -> str:
    from annotations.condition import Condition

    facts: dict[str, object] = {"condition": condition, "video": item["sha256"]}
    parsed = Condition.parse(condition)
    frames: list[int] = []
    times: list[float] = []
    if parsed.count:
        available = workspace.media.frames_between(item["sha256"], 0, None)
        frames = list(parsed.frames(available, f"{parsed.name}/{item['question']}"))
        table = workspace.media.frame_table(item["sha256"]).times
        times = [round(table[one], 6) for one in frames]
    order = list(range(len(json.loads(item["options"]))))
    facts |= {"start_s": 0.0, "end_s": None, "frames": frames, "times": times,
              "option_order": order}  # fmt: skip
    return json.dumps(facts)
