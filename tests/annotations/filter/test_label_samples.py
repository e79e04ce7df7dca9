"""What people label of a filter is drawn with stored chances, and says what the filter is worth."""

import numpy as np
import pytest
from building import make_answer, make_video

from annotations.filter.fewer_answers import worth
from annotations.filter.filter_table import filtered
from annotations.filter.label_samples import doubt, draw, stored_chances
from annotations.planning.task_store import create_task, grow
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import ensure_run
from annotations.scoring.snapshot import take
from core.refusal import Refusal
from core.reply.result import Reading

READ = Reading(None, "read", "", "")
COUNT = 400


@pytest.fixture
def study(workspace, add_person):
    """400 videos; the filter accepts from a score of 0.5 on and is right 9 times in 10."""
    ada = add_person("Ada")
    with workspace.store.write() as database:
        for number in range(COUNT):
            make_video(database, f"v{number}")
    settings = {"reasons": ["dark", "still"], "duplicates": False}
    task = create_task(workspace, "Footage", "screening", settings, 1)
    grow(workspace, task)
    rng = np.random.default_rng(0)
    score = rng.random(COUNT)
    sure = 0.98 - 0.9 * np.exp(-np.abs(score - 0.5) * 12) * 0.5
    truth = np.where(rng.random(COUNT) < sure, score >= 0.5, score < 0.5)
    items = workspace.store.rows("SELECT id, video_id FROM item ORDER BY video_id")
    run = ensure_run(workspace, "CLIP", task, "clip_similarity", {})
    store_answers(
        workspace,
        run,
        [
            ModelAnswer(
                row["id"], None,
                {"verdict": "accept" if score[n] >= 0.5 else "reject", "note": "",
                 "reasons": [] if score[n] >= 0.5 else ["dark"]},
                {}, READ, score=float(score[n]),
            )
            for n, row in enumerate(items)
        ],
    )  # fmt: skip
    accepted = {row["video_id"]: bool(truth[n]) for n, row in enumerate(items)}
    return workspace, run, ada, accepted, score, truth


def label(workspace, task, person, accepted) -> int:
    rows = workspace.store.rows("SELECT id, video_id FROM item WHERE task_id = ?", [task])
    with workspace.store.write() as database:
        for row in rows:
            good = accepted[row["video_id"]]
            response = {"verdict": "accept" if good else "reject", "note": "",
                        "reasons": [] if good else ["dark"]}  # fmt: skip
            make_answer(database, row["id"], person.id, response)
    return len(rows)


def test_more_is_drawn_near_the_threshold_and_every_chance_is_stored(study):
    workspace, run, _, _, score, _ = study
    with take(workspace) as snapshot:
        table = filtered(snapshot, run)
        assert worth(snapshot, table, 0.5) is None
        of_score = doubt(snapshot, table, 0.5)
        near, far = np.abs(table.score - 0.5) < 0.1, np.abs(table.score - 0.5) > 0.3
        assert of_score[near].mean() > 2 * of_score[far].mean()
        with pytest.raises(Refusal, match="say too little"):
            draw(workspace, snapshot, table, 3, "few", threshold=0.5)
        draw(workspace, snapshot, table, 100, "Labels", threshold=0.5)
    with take(workspace) as snapshot:
        table = filtered(snapshot, run)
        drawn, chance = stored_chances(snapshot, table)
    assert abs(drawn.sum() - 100) <= 1
    assert chance.sum() == pytest.approx(100, abs=0.5)
    assert chance.min() > 0
    assert drawn[near].mean() > drawn[far].mean()
    assert len(score) == COUNT


def test_a_fifth_of_the_labels_says_what_the_filter_is_worth(study):
    workspace, run, ada, accepted, score, truth = study
    with take(workspace) as snapshot:
        task = draw(workspace, snapshot, filtered(snapshot, run), 100, "Labels", threshold=0.5)
    labelled = label(workspace, task, ada, accepted)
    with take(workspace) as snapshot:
        figures = worth(snapshot, filtered(snapshot, run), 0.5)
    assert figures is not None
    assert (figures.drawn, figures.judged, figures.everything) == (labelled, labelled, COUNT)
    kept = score >= 0.5
    expected = {
        "Accuracy": (kept == truth).mean(),
        "Recall": (~kept & ~truth).sum() / (~truth).sum(),
        "Precision": (~kept & ~truth).sum() / (~kept).sum(),
        "Share kept": truth.mean(),
    }
    for name, _, part in figures.figures:
        assert part.estimate.low <= expected[name] <= part.estimate.high, name
        assert part.more_until(0.01) > part.more_until(0.03) >= 0
    share = {name: part for name, _, part in figures.figures}["Share kept"]
    # The filter says much of it: people alone would have needed twice the labels and more.
    assert share.saved > 0.5


def test_what_was_drawn_is_not_drawn_again_and_chances_add_up(study):
    workspace, run, ada, accepted, *_ = study
    with take(workspace) as snapshot:
        first = draw(workspace, snapshot, filtered(snapshot, run), 60, "One", threshold=0.5)
    label(workspace, first, ada, accepted)
    with take(workspace) as snapshot:
        before = stored_chances(snapshot, filtered(snapshot, run))[1]
        second = draw(workspace, snapshot, filtered(snapshot, run), 60, "Two", threshold=0.5)
    videos = [
        {row["video_id"] for row in workspace.store.rows(
            "SELECT video_id FROM item WHERE task_id = ?", [task])}
        for task in (first, second)
    ]  # fmt: skip
    assert not videos[0] & videos[1]
    with take(workspace) as snapshot:
        after = stored_chances(snapshot, filtered(snapshot, run))[1]
    assert after == pytest.approx(1 - (1 - before) ** 2)
