"""Verdicts of people and of filters from elsewhere, compared as those given here."""

import json

import pytest

from annotations.filter.filter_table import filtered
from annotations.people import everyone
from annotations.planning.task_store import all_tasks, create_task, ensure_tasks
from annotations.scoring.snapshot import take
from ui.cli import main


@pytest.fixture
def videos(workspace, add_question):
    """Three usable videos: 'video of 1', 'video of 2', 'video of 3'."""
    for uid in ("1", "2", "3"):
        add_question(uid)
    return workspace


def bring_in(workspace, path, lines, *more):
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return main(["import", str(path), "--as", "verdicts", "--workspace", str(workspace.root),
                 "--yes", *more])  # fmt: skip


PEOPLE = ["video,annotator,verdict,reasons", "video of 1,ann@example.org,accept,",
          "video of 2,ann@example.org,reject,Too dark;Static", "video of 1,bo,keep,",
          "video of 2,bo,no,too_dark", "video of 3,bo,maybe,", "video of 9,bo,yes,"]  # fmt: skip
MODEL = ["file_name,accepted,score,reason", "video of 1.mp4,True,0.9,", "video of 2.mp4,1,0.7,",
         "video of 3.mp4,0,0.1,static"]  # fmt: skip


def test_people_s_and_a_filter_s_verdicts_meet_in_the_audit(videos, tmp_path, capsys):
    assert bring_in(videos, tmp_path / "people.csv", PEOPLE) == 0
    printed = capsys.readouterr().out
    assert "2 accepted, 2 rejected, by 2 people, who get pseudonyms" in printed
    assert "neither accepts nor rejects" in printed
    assert "no stored video is 'video of 9'" in printed
    assert "ann@example.org" not in printed
    assert bring_in(videos, tmp_path / "model.csv", MODEL, "--model", "clip") == 0
    assert "2 accepted, 1 rejected, by clip (3)" in capsys.readouterr().out
    [run] = videos.store.rows("SELECT id FROM run")
    with take(videos) as snapshot:
        table = filtered(snapshot, run["id"])
    verdicts = dict(zip(table.names, table.model.tolist(), strict=True))
    people = dict(zip(table.names, table.people.tolist(), strict=True))
    accepted, rejected = verdicts["video of 1"], verdicts["video of 3"]
    assert verdicts["video of 2"] == accepted != rejected
    # Both people accept 1 and reject 2; the filter takes 2 as well. Nobody judged 3.
    assert (people["video of 1"], people["video of 2"]) == (accepted, rejected)
    assert people["video of 3"] not in (accepted, rejected)
    reasons = dict(zip(table.names, table.people_reasons, strict=True))
    assert reasons["video of 2"] == {"too_dark"}  # 'Static' is one person's of two


def test_the_same_again_changes_nothing_and_people_are_under_pseudonyms(videos, tmp_path):
    bring_in(videos, tmp_path / "people.csv", PEOPLE)
    before = videos.store.rows("SELECT count(*) AS n FROM annotation")
    bring_in(videos, tmp_path / "people.csv", PEOPLE)
    assert videos.store.rows("SELECT count(*) AS n FROM annotation") == before
    names = [person.name for person in everyone(videos)]
    assert "bo (Table)" in names
    assert not any("ann@" in name for name in names)
    ensure_tasks(videos)
    [task] = [task for task in all_tasks(videos) if task.kind == "screening"]
    assert (task.status, task.items, task.answers, task.rate) == ("closed", 2, 4, 0.0)


def test_the_reasons_are_those_of_a_screening_task_that_is_there(videos, tmp_path):
    reasons = [{"id": "dark", "label": "Too dark"}]
    create_task(videos, "Screen", "screening", {"reasons": reasons}, 1)
    bring_in(videos, tmp_path / "people.csv", PEOPLE[:3])
    [row] = videos.store.rows(
        "SELECT response FROM annotation WHERE json_extract(response, '$.verdict') = 'reject'"
    )
    assert json.loads(row["response"]) == {
        "verdict": "reject", "reasons": ["dark"], "note": "Static",
    }  # fmt: skip


def test_two_verdicts_on_one_video_that_differ_are_told(videos, tmp_path, capsys):
    lines = ["video,verdict,score", 'video of 1,accept,"0,9"', "video of 1.mp4,reject,0.2",
             "video of 2,accept,", "video of 2,accept,"]  # fmt: skip
    assert bring_in(videos, tmp_path / "filter.csv", lines, "--model", "clip") == 0
    printed = capsys.readouterr().out
    assert "1 accepted, 1 rejected, by clip (2)" in printed
    assert "row 3: the same video stands there before with another verdict; this co" in printed
    assert "1 warning" in printed


def test_scores_with_a_decimal_comma_are_kept(videos, tmp_path):
    lines = ["video;verdict;score", "video of 1;accept;0,9", "video of 2;reject;0,25"]
    assert bring_in(videos, tmp_path / "filter.csv", lines, "--model", "clip") == 0
    rows = videos.store.rows("SELECT score FROM prediction ORDER BY annotation_id")
    assert [row["score"] for row in rows] == [0.9, 0.25]


def test_whose_verdicts_they_are_has_to_be_said(videos, tmp_path, capsys):
    assert bring_in(videos, tmp_path / "m.csv", MODEL) == 1
    assert "--model NAME" in capsys.readouterr().err
    lines = ["video,score", "video of 1,0.5"]
    assert bring_in(videos, tmp_path / "m.csv", lines, "--model", "clip") == 1
    assert "no column says the verdict" in capsys.readouterr().err


def test_a_column_that_is_not_there_is_refused(videos, tmp_path, capsys):
    assert bring_in(videos, tmp_path / "m.csv", MODEL, "--map", "verdict=gone") == 1
    assert "columns are file_name, accepted" in capsys.readouterr().err
