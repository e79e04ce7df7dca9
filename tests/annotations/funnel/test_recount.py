"""The funnel's counts against a recount of what was put in, which reads neither stages nor rules.

The first workspace is TOMATO's own files. The others are made by lot, one as ActionAtlas was made
and one as K9-Bench was: what the test draws it counts itself, in Python, and asks the funnel after.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from building import (
    insert,
    make_annotator,
    make_answer,
    make_clip,
    make_item,
    make_question,
    make_task,
    make_video,
)

from annotations import task as kinds
from annotations.adjudication.resolution import resolve
from annotations.footage.store import open_store
from annotations.funnel.stages import Stage, stages
from annotations.importing.import_plan import carry_out, plan_import
from annotations.people import Person
from annotations.publishing.preview import publication_folder
from annotations.workspace import Workspace

SHOWN = {"option_order": [0, 1, 2]}
DISCARD: dict[str, Any] = {"verdict": "discard", "flags": ["wrong_segment"], "note": ""}
KEEP: dict[str, Any] = {
    "verdict": "keep", "question": "Which way?", "flags": [], "note": "",
    "options": {"key": "1", "kept": ["0", "2"], "texts": {"0": "left", "1": "right", "2": "up"}},
}  # fmt: skip


def counted(workspace: Workspace) -> dict[str, tuple[int, int | None]]:
    """What each stage has kept, and of how many; the order is that of the picture."""
    return {stage.name: (stage.count, stage.of) for stage in stages(workspace)}


def waiting(workspace: Workspace) -> dict[str, str]:
    return {stage.name: stage.waits for stage in stages(workspace) if stage.waits}


def test_tomatos_own_files(workspace: Workspace, shared: Path):
    records = {
        f"{file.stem}/{number}": record
        for file in sorted((shared / "data/tomato").glob("*.json"))
        for number, record in json.loads(file.read_text(encoding="utf-8")).items()
    }
    carry_out(workspace, plan_import(workspace, shared / "data/tomato"))
    videos = {(record["demonstration_type"], record["key"]) for record in records.values()}
    assert (len(records), len(videos)) == (1484, 1397)  # as the paper's files are described
    human = {name for kind, name in videos if kind == "human"}
    # Nothing has come of them yet: there are no answers, segments, footage or splits, so no stages.
    assert counted(workspace) == {"Videos usable": (0, 1397), "Questions that stand": (1484, 1484)}
    assert waiting(workspace) == {"Videos usable": "1,397 wait for a file"}

    ada_asked = {uid for uid in records if uid.startswith("direction/")}
    ben_asked = {uid for uid in records if int(uid.split("/")[1]) % 3 == 0}
    retired = {uid for uid in records if uid.startswith("visual_cues/")}
    with workspace.store.write() as database:
        execute = database.conn.execute
        execute("UPDATE video SET status = 'usable' WHERE name LIKE '%human/%'")
        execute("UPDATE question SET retired_at = 'now' WHERE uid LIKE 'visual~_cues/%' ESCAPE '~'")
        task = make_task(database, "everything", settings={"condition": "full video"})
        items = {
            uid: make_item(database, task, question=number)
            for uid, number in execute("SELECT uid, id FROM question").fetchall()
        }
        ada, ben = make_annotator(database, "Ada"), make_annotator(database, "Ben")
        model = make_annotator(database, "m", "model")
        for uid in sorted(ada_asked):
            make_answer(database, items[uid], ada, {"choice": 0}, shown=SHOWN)
        for uid in sorted(ben_asked):
            make_answer(database, items[uid], ben, {"choice": 0}, shown=SHOWN)
        for uid in sorted(records)[:50]:  # of models and of no account: these answer nothing here
            make_answer(database, items[uid], model, {"choice": 0}, shown=SHOWN, counted=False)
    standing = records.keys() - retired
    answered = (ada_asked | ben_asked) & standing
    assert counted(workspace) == {
        "Videos usable": (len(human), 1397),
        "Questions that stand": (len(standing), 1484),
        "Answered": (len(answered), len(standing)),
        "Cross-checked": (len(ada_asked & ben_asked & standing), len(answered)),
    }


def test_a_workspace_that_is_made_as_actionatlas_was(workspace: Workspace):
    lot, expected = random.Random(11), Counter[str]()
    footage = open_store(workspace)
    with footage.write() as database:
        titles = 60
        database.conn.execute("UPDATE index_size SET titles = ?", [titles])
        for number in range(titles):
            video = insert(database, "video", source="Youtube", key=str(number), first_seen=0)
            kept, action = lot.random() < 0.4, lot.choice(("kick", "spin"))
            # The same title may be looked at for two actions: it is one video that is kept or not.
            for pipeline in {action, "kick"}:
                insert(
                    database, "step_result", pipeline=pipeline, step="2 title_filter",
                    unit=str(number), kept=int(kept), at=0,
                )  # fmt: skip
            expected["kept"] += kept
            if kept:
                state = lot.choice(("done", "done", "failed", "waiting"))
                insert(database, "download", video_id=video, state=state, at=0)
                expected[state] += 1
    footage.close()

    verification, localization = kinds.kind("verification"), kinds.kind("localization")
    with workspace.store.write() as database:
        people = [make_annotator(database, f"P{number}") for number in range(3)]
        videos = [make_video(database, f"v{number}.mp4") for number in range(expected["done"])]
        expected["segments"] = 0
        for video in videos:
            for start in range(lot.randint(1, 3)):
                make_clip(database, video, start_s=float(start), end_s=start + 1.0)
                expected["segments"] += 1
        look = make_task(database, "look", kind="verification", overlap=3,
                         settings=verification.check_settings({}))  # fmt: skip
        for number in range(14):
            item = make_item(database, look, f"action:{number}", video=videos[0])
            says = {clip: [lot.choice(("definitely", "maybe")) for _ in people] for clip in "ab"}
            given = people if number < 11 else people[:1]  # the last three are not finished
            for place, person in enumerate(given):
                clips = {clip: {"verdict": says[clip][place], "other_sport": ""} for clip in "ab"}
                make_answer(database, item, person, {"clips": clips})
            if len(given) == 3:
                # ActionAtlas takes a clip that two of three call definite.
                expected["verified"] += sum(says[clip].count("definitely") >= 2 for clip in "ab")
                expected["looked at"] += 2
        mark = make_task(database, "mark", kind="localization", overlap=1,
                         settings=localization.check_settings({}))  # fmt: skip
        for number in range(9):
            item = make_item(database, mark, f"clip:{number}", video=videos[0])
            if number >= 7:
                continue
            happens = lot.random() < 0.6
            card = {"start": 0.0, "end": 1.0, "which": ""}
            make_answer(
                database, item, people[0],
                {"happens": "happens" if happens else "does not happen", "sport": "",
                 "cards": [card] if happens else []},
            )  # fmt: skip
            expected["marked"] += 1
            expected["localized"] += happens
    chosen = expected["done"] + expected["failed"] + expected["waiting"]
    assert counted(workspace) == {
        "Footage found": (titles, None),
        "Kept by text": (expected["kept"], titles),
        "Downloaded": (expected["done"], chosen),
        "Videos usable": (expected["done"], expected["done"]),
        "Segments": (expected["segments"], None),
        "Verified": (expected["verified"], expected["looked at"]),
        "Localized": (expected["localized"], expected["marked"]),
    }
    assert waiting(workspace) == {
        "Downloaded": f"{expected['waiting']} wait for the download",
        "Verified": "3 wait for annotators",
        "Localized": "2 wait for annotators",
    }


def test_a_workspace_that_is_made_as_k9_bench_was(
    workspace: Workspace, add_person: Callable[..., Person]
):
    lot, expected = random.Random(9), Counter[str]()
    screening = kinds.kind("screening")
    settings = screening.check_settings({"duplicates": False})
    reason = settings["reasons"][0]["id"]
    with workspace.store.write() as database:
        people = [make_annotator(database, f"P{number}") for number in range(3)]
        screen = make_task(database, "screen", kind="screening", overlap=3, settings=settings)
        taken: list[int] = []
        for number in range(30):
            video = make_video(database, f"dog {number}.mp4")
            clip = make_clip(database, video)
            item = make_item(database, screen, f"video:{number}", video=video)
            verdicts = [lot.choice(("accept", "reject")) for _ in people]
            for person, verdict in zip(people, verdicts, strict=True):
                reasons = [reason] if verdict == "reject" else []
                make_answer(database, item, person,
                            {"verdict": verdict, "reasons": reasons, "note": ""})  # fmt: skip
            if verdicts.count("accept") >= 2:
                taken.append(clip)
        questions = [
            make_question(database, f"k9/{number}", clip)
            for number, clip in enumerate(clip for clip in taken for _ in range(2))
        ]
        split = insert(database, "split", name="debiased", rule="{}", words="", created_at="now")
        for question in questions:
            kept = lot.random() < 0.7
            expected["kept"] += kept
            insert(database, "split_question", split_id=split, question_id=question, solved=0,
                   kept=int(kept))  # fmt: skip
        look = make_task(database, "look", kind="question_review", overlap=2,
                         settings=kinds.kind("question_review").check_settings({}))  # fmt: skip
        split_votes: list[tuple[int, tuple[int, ...]]] = []
        for place, question in enumerate(questions):
            item = make_item(database, look, question=question)
            reviews = [lot.choice((KEEP, KEEP, DISCARD)) for _ in range(2)]
            given = reviews[: 0 if place < 2 else 1 if place < 5 else 2]
            answers_of = tuple(
                make_answer(database, item, person, review)
                for person, review in zip(people, given, strict=False)
            )
            if len(given) < 2:
                expected["not reviewed by two"] += 1
            elif given[0] != given[1]:
                split_votes.append((item, answers_of))
            else:
                expected["reviewed"] += given[0] is KEEP
                expected["decided"] += 1
        ask = make_task(database, "ask", overlap=2, settings={"condition": "full video"})
        for question in questions:
            item = make_item(database, ask, question=question)
            answers = lot.randint(0, 2)
            for person in people[:answers]:
                make_answer(database, item, person, {"choice": 1}, shown=SHOWN)
            expected["answered"] += answers > 0
            expected["twice"] += answers == 2
    # An author decides half of those about which two reviewers differ; the others wait for one.
    author = add_person("Clara", "author")
    for item, answers_of in split_votes[::2]:
        side = lot.choice(("first", "second"))
        resolve(workspace, item, author, side, answers=answers_of, seen_revision=0)
        [row] = workspace.store.rows(
            "SELECT response FROM annotation WHERE id = ?", [answers_of[side == "second"]]
        )
        expected["reviewed"] += json.loads(row["response"])["verdict"] == "keep"
        expected["decided"] += 1
    undecided = len(split_votes[1::2])
    assert undecided > 1  # the lot has drawn every case
    folder = publication_folder(workspace)
    folder.mkdir(parents=True)
    published = {f"k9/{number}": {} for number in range(expected["kept"])}
    told = {"rushes_publication": 1, "version": "1.0", "questions": published}
    (folder / "publication.json").write_text(json.dumps(told))
    assert counted(workspace) == {
        "Videos usable": (30, 30),
        "Screened": (len(taken), 30),
        "Reviewed": (expected["reviewed"], expected["decided"]),
        "Questions that stand": (len(questions), len(questions)),
        "Kept by the filter": (expected["kept"], len(questions)),
        "Answered": (expected["answered"], len(questions)),
        "Cross-checked": (expected["twice"], expected["answered"]),
        "Published": (expected["kept"], len(questions)),
    }
    assert waiting(workspace)["Reviewed"] == (
        f"{expected['not reviewed by two']} wait for annotators, {undecided} wait for an author"
    )
    screened = next(stage for stage in stages(workspace) if stage.name == "Screened")
    assert isinstance(screened, Stage)
    assert screened.share == len(taken) / 30
