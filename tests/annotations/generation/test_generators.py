"""Questions written by models: what is refused and why, what becomes a draft, and what is kept."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from annotations import task as tasks
from annotations.generation import generate as generating
from annotations.generation.generate import generate, sampled
from annotations.generation.generation_plan import plan_generation
from annotations.generation.generator import Subject, Unfit, generator, generators
from annotations.generators import actionatlas, k9, neutral
from annotations.importing.import_plan import carry_out, plan_import
from annotations.record.item import item_in
from annotations.workspace import Workspace
from core.model import Reply, Request
from core.refusal import Missing, Refusal
from core.video.encode import write_video
from ui.cli import main

AddQuestion = Callable[..., int]
KICK = Subject("segment:1:1", "kick.mp4", 1, "a" * 64, facts={
    "action": "bicycle kick", "domain": "football", "who": "the player in red",
    "before": "he turns his back", "after": "none",
})  # fmt: skip
NINE = ["scissors kick", "volley", "header", "back heel", "rabona", "chip", "toe poke",
        "diving header", "half volley"]  # fmt: skip
QUESTION = "Which move does the player in red make after he turns his back?"


class Writer:
    """A model that says what it was given to say, one after the other, and keeps what it heard."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, replies: Sequence[str]):
        self.replies = list(replies)
        self.heard: list[Request] = []

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply]:
        del max_tokens
        self.heard += requests
        return [Reply(self.replies.pop(0)) for _ in requests]


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Writer]:
    """Makes the next model that is loaded one that says this."""

    def given(*replies: str) -> Writer:
        writer = Writer(replies)
        monkeypatch.setattr(generating, "load_model", lambda *_: writer)
        return writer

    return given


def question_of(reply: str) -> str:
    return actionatlas.STEPS[0].read(reply, KICK, {}, {})


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Which bicycle kick does the player in red make after turning his back?", "names the act"),
        (
            "Who bicycled and kicked as the player in red after turning his back?",
            "names the action",
        ),
        ("The player in red turns his back.", "does not end with a question mark"),
        ("Which move is made after he turns his back?", "does not say who is meant"),
        ("Which move does the player in red make?", "does not say what happens before"),
        (f"Sure!\n{QUESTION}", "2 lines came"),
        ("", "0 lines came"),
    ],
)
def test_a_question_that_cannot_be_taken(reply: str, problem: str):
    with pytest.raises(Unfit, match=problem):
        question_of(reply)


def test_a_question_that_can():
    assert question_of(f'  "{QUESTION}"\n') == QUESTION


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["- volley", *NINE[1:]], "begins with a bullet"),
        (["1. volley", *NINE[1:]], "begins with a bullet or a number"),
        (NINE[:8], "8 lines came; write exactly 9"),
        (["half-volley", *NINE[1:]], "say the same"),
        (["Bicycle-kick", *NINE[1:]], "is the action itself"),
        (["volley (low)", *NINE[1:]], "has brackets"),
    ],
)
def test_negatives_that_cannot_be_taken(lines: list[str], problem: str):
    with pytest.raises(Unfit, match=problem):
        actionatlas.STEPS[1].read("\n".join(lines), KICK, {}, {})


FILM = Subject("video:1", "film.mp4", 1, "a" * 64, facts={"duration_s": 10.0})
ASKED = [{"question": "Which way does the dog run?", "answer": "to the left side"}]


def scenes(*spans: tuple[float, float]) -> str:
    listed = [{"start": a, "end": b, "narration": "A dog runs."} for a, b in spans]
    return json.dumps({"description": "A dog.", "scenes": listed})


@pytest.mark.parametrize(
    ("step", "reply", "problem"),
    [
        (0, "I cannot see it.", "No JSON list was found"),
        (0, "[]", "0 questions came"),
        (0, '[{"category": "smell", "question": "Q?", "answer": "a"}]', "is no category"),
        (0, '[{"category": "direction", "question": "When does it run?", "answer": "a"}]',
         "asks for a time"),
        (0, '[{"category": "direction", "question": "Q?", "answer": ""}]', "answer” is lacking"),
        (0, json.dumps([{"category": "direction", "question": "Which way does the dog run?",
                         "answer": "left"}] * 2), "ask the same"),
        (0, json.dumps([{"category": "direction", "question": "Q?", "answer": "w " * 21}]),
         "has 21 words"),
        (1, scenes((0, 5), (4, 10)), "overlaps the one before"),
        (1, scenes((0, 5)), "cover 5.0 of 10.0 s"),
        (1, scenes((0, 5), (5, 20)), "is not in the 10.0 s"),
        (1, '{"description": "A dog.", "scenes": []}', "no scenes"),
        (1, scenes((0, 10)).replace("0, ", '"0:00", '), "write seconds as a number"),
        (2, json.dumps([{**ASKED[0], "answer": "to the right", "distractors": ["a"] * 4}]),
         "came back changed"),
        (2, json.dumps([{**ASKED[0], "distractors": ["up there", "down here", "far off"]}]),
         "3 distractors"),
        (2, json.dumps([{**ASKED[0], "distractors":
                         ["to the left side", "up up up", "down down down", "far far off"]}]),
         "say the same"),
        (2, json.dumps([{**ASKED[0], "distractors":
                         ["up", "down there it", "far off then", "round it goes"]}]),
         "0.2 times as long"),
    ],
)  # fmt: skip
def test_what_k9_steps_refuse(step: int, reply: str, problem: str):
    results = {"questions": ASKED, "narration": json.loads(scenes((0, 10)))}
    with pytest.raises(Unfit, match=problem):
        k9.STEPS[step].read(reply, FILM, results, k9.SETTINGS)


OLD = Subject("question:q:1", "q", 1, "a" * 64, facts={
    "uid": "q", "text": "What does the speaker Anna throw?", "key": 1, "category": "", "tags": {},
    "options": ["the blue box", "the red ball", "what Anna says is a hat"],
})  # fmt: skip
NEW = {"question": "What does the woman in green throw?", "key": "B",
       "options": {"A": "a blue box", "B": "a red ball", "C": "a hat"}}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"key": "A"}, "it stays B"),
        ({"options": {"A": "a red ball", "B": "a blue box", "C": "a hat"}}, "stays at its letter"),
        ({"options": {"A": "a blue box", "B": "a red ball"}}, "The options are A, B; keep A, B, C"),
        ({"options": {**NEW["options"], "C": "w " * 21}}, "has 21 words"),  # type: ignore[dict-item]
        ({"options": {**NEW["options"], "C": "a blue box"}}, "say the same"),  # type: ignore[dict-item]
        ({"options": {**NEW["options"], "C": " "}}, "C” is lacking"),  # type: ignore[dict-item]
        ({"question": "What does Anna throw?"}, "The name Anna is still there"),
        ({"question": "What does the woman say she throws?"}, "tells of a speaker or a sound"),
        ({"question": ""}, "question” is lacking"),
    ],
)
def test_a_rewriting_that_cannot_be_taken(change: dict[str, object], problem: str):
    with pytest.raises(Unfit, match=problem):
        neutral.STEPS[0].read(json.dumps({**NEW, **change}), OLD, {}, {})


def test_a_rewriting_that_can():
    taken = neutral.STEPS[0].read(f"```json\n{json.dumps(NEW)}\n```", OLD, {}, {})
    assert taken == {"question": NEW["question"], "options": ["a blue box", "a red ball", "a hat"]}


@pytest.mark.parametrize("name", generators())
def test_what_a_stand_in_writes_fits_every_step(name: str):
    module = generator(name)
    subject = {"actionatlas": KICK, "k9": FILM, "neutral": OLD}[name]
    results: dict[str, object] = {}
    for step in module.STEPS:
        assert set(step.fill(subject, results, module.SETTINGS)) == set(step.fields)
        reply = step.stand_in(subject, results)
        results[step.name] = step.read(reply, subject, results, module.SETTINGS)
    assert module.drafts(subject, results)
    assert module.TITLE
    assert module.HELP.endswith(".")


def localized(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """One localized kick, as its task would give it."""
    monkeypatch.setattr(actionatlas, "subjects", lambda *_: [KICK])


def test_what_was_wrong_is_told_and_every_reply_is_kept(
    workspace: Workspace, add_question: AddQuestion, writes: Callable[..., Writer],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    add_question("a/1")
    localized(workspace, monkeypatch)
    writer = writes("Who does the bicycle kick?", QUESTION, "\n".join(NINE))
    number = plan_generation(workspace, "actionatlas", "writer")
    result = generate(workspace, number)
    assert (result.done, result.drafts, result.new, result.requests) == (1, 1, 1, 3)
    assert "It names the action: bicycle, kick" in writer.heard[1].text
    assert "Who does the bicycle kick?" in writer.heard[1].text
    rows = workspace.store.rows("SELECT * FROM generation_reply ORDER BY step, attempt")
    assert [(row["step"], row["attempt"], bool(row["problem"])) for row in rows] == [
        ("negatives", 1, False), ("question", 1, True), ("question", 2, False),
    ]  # fmt: skip
    [item] = workspace.store.rows("SELECT * FROM item WHERE uid LIKE 'generated:%'")
    payload = json.loads(item["payload"])
    assert payload["options"] == ["bicycle kick", *NINE]
    assert payload["key"] == 0
    assert payload["tags"] == {"action": "bicycle kick"}
    # Nothing is asked again, and nothing doubles.
    again = generate(workspace, plan_generation(workspace, "actionatlas", "writer"))
    assert (again.done, again.drafts, again.new, again.requests) == (1, 1, 0, 0)
    assert workspace.store.rows("SELECT count(*) AS n FROM question")[0]["n"] == 1


def test_three_refusals_end_a_subject_until_it_is_tried_again(
    workspace: Workspace, add_question: AddQuestion, writes: Callable[..., Writer],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    add_question("a/1")
    localized(workspace, monkeypatch)
    writes("no", "no", "no")
    number = plan_generation(workspace, "actionatlas", "writer")
    result = generate(workspace, number)
    assert (result.done, result.drafts, result.requests) == (0, 0, 3)
    assert list(result.refused.values()) == [1]
    writes()  # nothing to say: nothing is asked
    assert generate(workspace, number).requests == 0
    writes(QUESTION, "\n".join(NINE))
    assert generate(workspace, number, retry=True).done == 1


def test_a_sample_is_part_of_the_larger_one():
    subjects = [Subject(f"video:{i}", "", 1, "") for i in range(30)]
    small, large = ({one.id for one in sampled(subjects, n)} for n in (5, 12))
    assert len(small) == 5
    assert small < large
    assert sampled(subjects, None) == subjects == sampled(subjects, 99)


@pytest.fixture
def filmed(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Three clips with a question on the first."""
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(3):
        shade = np.full((48, 64, 3), 40 + 60 * number, np.uint8)
        write_video(folder / f"{number}.mp4", [shade] * 10, Fraction(10))
    row = {"id": "q1", "video": "0.mp4", "question": "What does Anna say she throws?",
           "options": ["the red ball", "the blue box"], "answer": "A"}  # fmt: skip
    (folder / "questions.jsonl").write_text(json.dumps(row), encoding="utf-8")
    carry_out(workspace, plan_import(workspace, folder))
    carry_out(workspace, plan_import(workspace, folder / "1.mp4"))
    carry_out(workspace, plan_import(workspace, folder / "2.mp4"))
    return workspace


def test_the_whole_chain_runs_with_a_stub_and_says_so(
    filmed: Workspace, capsys: pytest.CaptureFixture[str]
):
    where = ["--workspace", str(filmed.root), "--model", "stub:fair"]
    assert main(["generate", "k9", *where, "--sample", "2"]) == 0
    text = capsys.readouterr().out
    assert "2 of 2 done, 6 requests; 2 drafts wait" in text
    assert "A stub, no model: its answers mean nothing." in text
    assert main(["generate", "k9", *where, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["subjects"], summary["done"], summary["requests"]) == (3, 3, 3)
    assert summary["drafts"] == 3
    assert summary["new"] == 1
    assert main(["generate", "neutral", *where]) == 0
    [item] = filmed.store.rows(
        "SELECT i.*, t.settings FROM item i JOIN task t ON t.id = i.task_id"
        " WHERE t.name LIKE 'Neutral%'"
    )
    kind = tasks.kind("question_review")
    with filmed.store.read() as database:
        stored = item_in(database, item["id"])
    shown = kind.show(filmed, stored, json.loads(item["settings"]), "seed")
    about = kind.content(filmed, stored, shown).values["about"]
    assert "before it was rewritten: What does Anna say she throws?" in about


def test_a_model_that_cannot_write_is_refused_with_reasons(
    filmed: Workspace, capsys: pytest.CaptureFixture[str]
):
    where = ["--workspace", str(filmed.root), "--model", "stub:broken"]
    assert main(["generate", "k9", *where, "--sample", "1"]) == 1
    text = capsys.readouterr().out
    assert "0 of 1 done" in text
    assert "refused: questions:" in text
    assert main(["generate", "actionatlas", *where]) == 1
    assert "No action is localized yet" in capsys.readouterr().err
    assert main(["generate", "k9", *where, "--set", "colour=red"]) == 1
    assert "'colour' is no setting" in capsys.readouterr().err
    with pytest.raises(Missing):
        plan_generation(filmed, "nobody", "stub:fair")
    with pytest.raises(Refusal):
        plan_generation(filmed, "k9", "stub:fair", {"x": 1})


def test_a_killed_process_loses_one_reply_at_most(filmed: Workspace):
    slow = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from annotations.generation.generate import generate\n"
        "from annotations.generation.generation_plan import plan_generation\n"
        "from annotations.workspace import Workspace\n"
        "workspace = Workspace.open(Path(sys.argv[1]))\n"
        "def say(through, wanted, name):\n"
        "    print(through, flush=True)\n"
        "    if through == 2: time.sleep(60)\n"
        "generate(workspace, plan_generation(workspace, 'k9', 'stub:fair'), say=say)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow, str(filmed.root)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    while process.stdout.readline().strip() != "2":
        pass
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    result = generate(filmed, plan_generation(filmed, "k9", "stub:fair"))
    assert (result.done, result.drafts) == (3, 3)
    assert result.requests == 3, "two of three videos were done; three steps of one are left"
    assert result.new == 1
