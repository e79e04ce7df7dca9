"""An engine stops, goes on, repeats nothing, and an item that fails costs itself."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotations.engine import engine, engine_hold
from annotations.engine.engine import Where, work
from annotations.engine.engine_hold import Busy, Hold, Lost, progress, request_stop
from annotations.engine.engine_items import planned_run, remaining_items, sampled
from annotations.run.run_plan import plan_run
from annotations.run.runs import all_runs, ensure_run
from annotations.workspace import Workspace
from core.model import ItemError, ModelError

RED = {"text": "red", "frames": 2}


def planned(workspace: Workspace, task_id: int, **settings: Any) -> int:
    return plan_run(
        workspace, "clip_similarity", "scripted", task_id=task_id, settings={**RED, **settings}
    )


def test_every_item_gets_one_answer_with_its_score_and_what_was_seen(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Callable[..., Any]
):
    run_id = planned(workspace, footage(5))
    ended = work(workspace, run_id)
    assert (ended.status, ended.done, ended.wanted, ended.new) == ("finished", 5, 5, 5)
    answers = results(run_id)
    assert [one["response"]["verdict"] for one in answers] == ["accept"] * 5
    assert all(0.5 < one["score"] <= 1 for one in answers)
    assert answers[0]["shown"]["frames"] == [0, 11]
    [run] = all_runs(workspace)
    assert (run.status, run.predictions, run.facts["device"]) == ("finished", 5, "nowhere")


def test_what_is_stored_is_not_done_again(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Callable[..., Any]
):
    run_id = planned(workspace, footage(6))
    first = work(workspace, run_id, sample=2)
    assert (first.status, first.new, first.note) == ("stopped", 2, "4 items are left")
    assert work(workspace, run_id, sample=2).new == 0
    assert work(workspace, run_id).new == 4
    assert work(workspace, run_id).new == 0
    assert [one["revision"] for one in results(run_id)] == [1] * 6


def test_a_larger_sample_holds_the_smaller_one():
    items = list(range(100, 200))
    assert set(sampled(items, 5)) < set(sampled(items, 20)) < set(items)
    assert sampled(items, 20) != items[:20]


def test_only_the_wanted_items_are_done(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Callable[..., Any]
):
    run_id = planned(workspace, footage(4))
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY position")]
    assert work(workspace, run_id, only=items[1:3]).new == 2
    assert [one["uid"] for one in results(run_id)] == ["video:clip-001.mp4", "video:clip-002.mp4"]


def test_a_full_memory_halves_the_batch_and_nothing_is_lost(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    scripted.most = 3  # clips at once; a batch has up to 32
    scripted.error = type("OutOfMemoryError", (RuntimeError,), {})("CUDA out of memory")
    run_id = planned(workspace, footage(11))
    assert work(workspace, run_id).new == 11
    # 11 -> 6 (too many) -> 3, 3; then 5 -> at most 3 at once from there on.
    assert scripted.batches[:4] == [11, 6, 3, 3]
    assert all(size <= 3 for size in scripted.batches[4:] if size != 5)


def test_an_item_too_large_for_the_memory_costs_itself(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    failures: Callable[..., Any],
):
    scripted.most = 0
    run_id = planned(workspace, footage(3))
    ended = work(workspace, run_id)
    assert (ended.new, ended.errors) == (0, {"out of memory": 3})
    assert set(failures(run_id).values()) == {"out of memory: for this item alone"}
    assert (ended.status, ended.note) == ("finished", "all but 3 that failed")


def test_a_model_that_breaks_on_one_item_loses_only_that_one(
    workspace: Workspace,
    add_question: Callable[..., int],
    scripted: Any,
    results: Callable[..., Any],
    failures: Callable[..., Any],
):
    for number in range(7):
        add_question(f"count/{number}", (f"one {number}", "two"))
    whole = scripted.score

    def score(requests: Any, choices: Any) -> Any:
        if any("one 4" in one.text for one in requests):
            raise IndexError("index 7 is out of range")
        return whole(requests, choices)

    scripted.score = score
    run_id = plan_run(workspace, "text_only", "scripted")
    assert work(workspace, run_id).new == 6
    assert failures(run_id) == {
        "question:count/4": "the model failed: IndexError: index 7 is out of range"
    }


def test_a_corrupt_clip_costs_itself_and_is_tried_again_on_request(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    tmp_path: Path,
    clip: Path,
    failures: Callable[..., Any],
):
    task_id = footage(4)
    [row] = workspace.store.rows("SELECT * FROM video WHERE name = 'clip-002.mp4'")
    other = "ab" * 32
    media = workspace.media
    media.folder(other).mkdir(parents=True)
    media.original(other, ".mp4").write_bytes(b"")
    media.table(other).write_text(media.table(row["sha256"]).read_text())
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET payload = json_set(payload, '$.clip.video', ?) WHERE uid LIKE ?",
            [other, "%clip-002%"],
        )
    run_id = planned(workspace, task_id)
    ended = work(workspace, run_id)
    assert (ended.new, ended.errors) == (3, {"empty file": 1})
    assert list(failures(run_id)) == ["video:clip-002.mp4"]
    assert progress(workspace, run_id).failed == 1
    assert work(workspace, run_id).errors == {}  # left alone
    assert work(workspace, run_id, retry=True).errors == {"empty file": 1}
    [tries] = workspace.store.rows("SELECT tries FROM run_error")
    assert tries["tries"] == 2
    media.original(other, ".mp4").write_bytes(clip.read_bytes())
    assert work(workspace, run_id, retry=True).new == 1
    assert failures(run_id) == {}


def test_a_file_that_is_gone_costs_its_item(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, failures: Callable[..., Any]
):
    task_id = footage(2)
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET payload = json_set(payload, '$.clip.video', ?) WHERE position = 0",
            ["cd" * 32],
        )
    run_id = planned(workspace, task_id)
    assert work(workspace, run_id).new == 1
    assert "No such file" in failures(run_id)["video:clip-000.mp4"]


def test_a_server_that_does_not_answer_costs_its_items_and_a_dead_one_ends_the_run(
    workspace: Workspace,
    add_question: Callable[..., int],
    scripted: Any,
    monkeypatch: pytest.MonkeyPatch,
    failures: Callable[..., Any],
):
    for number in range(12):
        add_question(f"count/{number}")
    late = ItemError("time-out", "no reply within 120 s")
    answered = iter([True, False, False] * 2)
    scripted.probabilities = lambda _, choices: (0.6, 0.3, 0.1) if next(answered, False) else late
    monkeypatch.setattr(engine, "GIVE_UP_AFTER", 5)
    run_id = plan_run(workspace, "text_only", "scripted", options={"batch": 3})
    ended = work(workspace, run_id)
    # Right, late, late, right, late, late and then three more that are late: five in a row.
    assert (ended.status, ended.new, ended.errors) == ("failed", 2, {"time-out": 7})
    assert ended.note == "5 items in a row failed: time-out: no reply within 120 s"
    assert progress(workspace, run_id).note == ended.note
    scripted.probabilities = lambda _, choices: (0.6, 0.3, 0.1)
    assert work(workspace, run_id, retry=True).done == 12


def test_two_processes_do_not_work_on_the_same_run(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = planned(workspace, footage(2))
    hold = Hold.take(workspace, run_id)
    with pytest.raises(Busy, match=f"process {os.getpid()}"):
        work(workspace, run_id)
    hold.end("stopped", "as asked")
    assert work(workspace, run_id).new == 2


def test_the_run_of_a_process_that_is_gone_is_taken_over_at_once(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = planned(workspace, footage(2))
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    Hold.take(workspace, run_id)._ended.set()  # its heart stops
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE run SET progress = json_set(progress, '$.pid', ?)", [gone.pid]
        )
    assert progress(workspace, run_id).status == "stopped"
    assert "its process ended" in progress(workspace, run_id).note
    assert work(workspace, run_id).new == 2


def test_who_has_lost_a_run_stores_nothing_more(
    workspace: Workspace, footage: Callable[..., int], scripted: Any, results: Callable[..., Any]
):
    run_id = planned(workspace, footage(3))
    embed = scripted.embed_images

    def slow(frames: Any) -> Any:
        with workspace.store.write() as database:
            database.conn.execute("UPDATE run SET progress = json_set(progress, '$.owner', 'x')")
        return embed(frames)

    scripted.embed_images = slow
    ended = work(workspace, run_id)
    assert "another process" in ended.note
    assert results(run_id) == []


def test_a_run_stops_when_asked_and_goes_on_from_there(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    run_id = planned(workspace, footage(12))
    monkeypatch.setattr(engine, "STORE_AFTER", 1)
    seen: list[int] = []
    embed = scripted.embed_images

    def watched(frames: Any) -> Any:
        seen.append(len(frames))
        if len(seen) == 2:
            request_stop(workspace, run_id)
        return embed(frames)

    scripted.embed_images = watched
    with workspace.store.write() as database:
        database.conn.execute("UPDATE run SET facts = json_set(facts, '$.options.batch', 3)")
    ended = work(workspace, run_id)
    assert (ended.status, ended.note) == ("stopped", "stopped as asked")
    # The model works ahead of what is stored: from one item up to what was ready is kept.
    assert 1 <= ended.new <= 9
    assert progress(workspace, run_id).status == "stopped"
    assert work(workspace, run_id).done == 12


def test_an_interrupted_run_keeps_what_it_has_and_says_so(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = planned(workspace, footage(3))
    scripted.error, scripted.most = KeyboardInterrupt(), 0
    with pytest.raises(KeyboardInterrupt):
        work(workspace, run_id)
    now = progress(workspace, run_id)
    assert (now.status, now.note) == ("stopped", "interrupted")


def test_a_model_that_cannot_be_had_fails_the_run_with_its_words(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    def refuse(*given: object) -> None:
        raise ModelError("This model needs the package torch: pip install -e '.[models]'")

    run_id = planned(workspace, footage(1))
    monkeypatch.setattr("annotations.engine.engine_worker.load_model", refuse)
    with pytest.raises(ModelError, match="pip install"):
        work(workspace, run_id)
    now = progress(workspace, run_id)
    assert now.status == "failed"
    assert "pip install" in now.note


def test_the_page_reads_the_same_progress_that_the_terminal_shows(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    run_id = planned(workspace, footage(8))
    monkeypatch.setattr(engine, "STORE_AFTER", 2)
    monkeypatch.setattr(engine, "STORE_AFTER_S", 0.0)
    monkeypatch.setattr(engine_hold, "BEAT_S", 0.05)
    pairs: list[tuple[int, int]] = []
    embed = scripted.embed_images

    def slow(frames: Any) -> Any:
        time.sleep(0.3)
        pairs.append((progress(workspace, run_id).done, progress(workspace, run_id).wanted))
        return embed(frames)

    scripted.embed_images = slow
    with workspace.store.write() as database:
        database.conn.execute("UPDATE run SET facts = json_set(facts, '$.options.batch', 2)")
    shown: list[tuple[int, int]] = []
    work(workspace, run_id, say=lambda now: shown.append((now.done, now.wanted)))
    assert pairs[0] == (0, 8)
    assert pairs[-1][0] >= 4
    assert shown[-1] == (8, 8)


def test_a_rate_is_of_what_was_stored_lately():
    hold = Hold(None, 1, "me", wanted=100)  # pyright: ignore[reportArgumentType]
    assert hold.rate is None
    hold.counted(10, 0)
    time.sleep(0.1)
    hold.counted(5, 1)
    # 6 items since the first mark, about 0.1 s ago.
    assert hold.rate == pytest.approx(6 / 0.1, rel=0.5)
    facts = hold.facts()
    assert (facts["done"], facts["failed"]) == (15, 1)
    assert facts["left_s"] == pytest.approx(84 / 60, rel=0.6)


def test_other_settings_or_other_words_of_a_prompt_are_another_run(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    task_id = footage(1)
    first = planned(workspace, task_id)
    assert planned(workspace, task_id) == first
    second = planned(workspace, task_id, threshold=0.2)
    assert second != first
    screening = {"task_id": task_id, "settings": {}}
    third = plan_run(workspace, "vlm_screening", "scripted", **screening)
    (workspace.root / "prompts").mkdir()
    (workspace.root / "prompts" / "screening.txt").write_text("Is it good? {shown}")
    fourth = plan_run(workspace, "vlm_screening", "scripted", **screening)
    names = {run.id: run.model for run in all_runs(workspace)}
    assert len({first, second, third, fourth}) == len(set(names.values())) == 4
    assert names[fourth].startswith("scripted · screening · ")


def test_an_imported_run_cannot_be_started(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = ensure_run(workspace, "gpt-x", footage(1))
    with pytest.raises(ValueError, match="was imported"):
        work(workspace, run_id)


def test_practice_and_withdrawn_items_are_not_work(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = planned(workspace, footage(3))
    with workspace.store.write() as database:
        database.conn.execute("UPDATE item SET role = 'practice' WHERE position = 0")
        database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE position = 1")
    assert remaining_items(workspace, planned_run(workspace, run_id)).wanted == 1


def test_a_lost_hold_is_noticed_by_its_heart(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    hold = Hold.take(workspace, planned(workspace, footage(1)))
    with workspace.store.write() as database:
        database.conn.execute("UPDATE run SET progress = json_set(progress, '$.owner', 'x')")
    hold.say()
    assert hold.lost
    with pytest.raises(Lost):
        hold.check()
    hold.end("stopped", "")
    [row] = workspace.store.rows("SELECT status FROM run")
    assert row["status"] == "running"  # it belongs to the other one


def test_one_device_works_in_this_process(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    run_id = planned(workspace, footage(2))
    before = threading.active_count()
    assert work(workspace, run_id, where=Where(("cpu",), decoders=1)).new == 2
    assert threading.active_count() <= before + 1
