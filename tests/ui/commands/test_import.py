import json
from pathlib import Path

import pytest

from annotations.question.questions import revise
from annotations.workspace import Workspace
from ui.cli import main

ROWS = "id,video,question,A,B,answer\nq1,one,What?,x,y,A\nq2,one,Why?,x,y,J\n"


@pytest.fixture
def root(workspace: Workspace) -> str:
    return str(workspace.root)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


def test_what_was_read_is_shown_and_written(
    root: str, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", questions, "--workspace", root, "--yes"]) == 0
    shown = capsys.readouterr().out
    assert "options   <- A, B" in shown
    assert "q1  [one]" in shown
    assert "* A. x" in shown
    assert "1 new, 0 changed, 0 unchanged, 1 refused" in shown
    assert "questions.csv, row 3, column answer: key outside A-B (got 'J')" in shown
    assert "Written" in shown


def test_without_a_terminal_and_without_yes_nothing_is_written(
    root: str, questions: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115
    assert main(["import", questions, "--workspace", root]) == 2
    assert "add --yes" in capsys.readouterr().err
    assert Workspace.open(Path(root)).store.rows("SELECT * FROM question") == []


def test_the_report_is_json_on_request(
    root: str, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", questions, "--workspace", root, "--yes", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["written"] is True
    assert report["questions"]["new"] == 1
    assert report["problems"][0]["row"] == "row 3"


def test_nothing_that_can_be_read_is_a_failure(
    root: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "questions.csv"
    path.write_text("id,video,question,A,B,answer\nq1,v,What?,x,y,J\n", encoding="utf-8")
    assert main(["import", str(path), "--workspace", root, "--yes"]) == 1
    path.write_text("", encoding="utf-8")
    assert main(["import", str(path), "--workspace", root, "--yes"]) == 1
    assert main(["import", str(tmp_path / "none.csv"), "--workspace", root, "--yes"]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_columns_and_keys_can_be_named(root: str, tmp_path: Path) -> None:
    path = tmp_path / "fragen.csv"
    path.write_text("nr,film,frage,a,b,c,d,antwort\n1,v,Was?,w,x,y,z,2\n", encoding="utf-8")
    columns = ["--map", "video=film", "--map", "question=Frage", "--map", "answer=antwort"]
    command = ["import", str(path), "--workspace", root, "--yes", *columns, "--map", "id=nr"]
    assert main(command) == 1  # 2 of 4 may count from 0 or from 1
    assert main([*command, "--keys", "1"]) == 0
    [row] = Workspace.open(Path(root)).store.rows("SELECT uid, key FROM current_question")
    assert row == {"uid": "1", "key": 1}
    assert main(["import", str(path), "--workspace", root, "--yes", "--map", "x"]) == 1


REPLIES = "id,response,is_correct\nq1,A,1\nq2,I cannot tell,0\nq9,B,1\n"


@pytest.fixture
def replies(root: str, tmp_path: Path) -> str:
    """A file of replies, in a workspace that holds two of the three questions."""
    table = tmp_path / "questions.csv"
    table.write_text(ROWS.replace("y,J", "y,B"), encoding="utf-8")
    assert main(["import", str(table), "--workspace", root, "--yes"]) == 0
    path = tmp_path / "replies.csv"
    path.write_text(REPLIES, encoding="utf-8")
    return str(path)


def test_predictions_are_told_from_questions_and_shown_before_they_are_written(
    root: str, replies: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["import", replies, "--workspace", root, "--model", "gpt-x", "--yes"]
    assert main(command) == 1
    assert "--condition '16 frames'" in capsys.readouterr().err
    assert main([*command, "--condition", "text only"]) == 0
    shown = capsys.readouterr().out
    assert "gpt-x · text only: 2 answers" in shown
    assert "found by    id 2" in shown
    assert "read as     read 1, refused 1" in shown
    assert "ours 50.0 %, theirs 50.0 % of 2; differ in 0" in shown
    assert "1 belong to no stored question" in shown
    assert "replies.csv, row 4: no stored question is 'q9'" in shown
    assert "Written: 2 new answers, 0 changed, 0 there already, in 1 run." in shown
    assert main([*command, "--condition", "text only", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["stored"] == {"new": 0, "changed": 0, "same": 2}
    assert report["runs"][0]["writes"] == {"same reply": 2}


def test_without_yes_no_prediction_is_written(
    root: str, replies: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115
    command = ["import", replies, "--workspace", root, "--model", "m", "--condition", "16 frames"]
    assert main(command) == 2
    assert "add --yes" in capsys.readouterr().err
    assert Workspace.open(Path(root)).store.rows("SELECT * FROM run") == []


def test_columns_of_predictions_can_be_named_and_questions_and_replies_are_not_mixed(
    root: str, replies: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("nr,said\nq1,A\n", encoding="utf-8")
    command = ["import", str(path), "--workspace", root, "--yes", "--as", "predictions"]
    named = ["--column", "id=nr", "--column", "response=said", "--format", "table"]
    assert main([*command, *named, "--model", "m", "--condition", "16 frames"]) == 0
    questions = str(tmp_path / "questions.csv")
    assert main(["import", questions, replies, "--workspace", root, "--yes"]) == 1
    assert "Import the questions first" in capsys.readouterr().err


def test_what_was_edited_here_and_in_the_file_is_listed_and_settled(
    root: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "questions.csv"
    command = ["import", str(path), "--workspace", root, "--yes"]
    rows = ["q1,one,What?,x,y,A", "q2,one,Why?,x,y,B", "q3,one,Who?,x,y,A"]

    def bring(*more: str) -> str:
        path.write_text("\n".join(["id,video,question,A,B,answer", *rows, ""]), encoding="utf-8")
        assert main([*command, *more]) == 0
        return capsys.readouterr().out

    def now() -> list[tuple[str, int]]:
        opened = Workspace.open(Path(root))
        found = opened.store.rows("SELECT text, key FROM current_question ORDER BY uid")
        opened.close()
        return [(row["text"], row["key"]) for row in found]

    bring()
    opened = Workspace.open(Path(root))
    with opened.store.write() as database:
        for number in (1, 2):
            revise(database, number, {"key": 2 - number})
    opened.close()
    assert "0 changed, 3 unchanged" in bring()
    assert now() == [("What?", 1), ("Why?", 0), ("Who?", 0)]
    rows = ["q1,one,What now?,x,y,A", "q2,one,Why now?,x,y,B", "q3,one,Who now?,x,y,A"]
    shown = bring()
    assert "1 changed, 0 unchanged, 0 refused, 2 kept as edited here" in shown
    assert "q1  (questions.csv, row 2): stays as it is here" in shown
    assert "key: here B “y”\n         file A “x”" in shown
    assert now() == [("What?", 1), ("Why?", 0), ("Who now?", 0)]
    assert shown.count("  q1  (") == 1
    shown = bring("--take-file", "q1")
    assert "q1  (questions.csv, row 2): the file's is taken" in shown
    assert "Written: Questions: 0 new, 1 changed, 1 unchanged, 0 refused, 1 kept" in shown
    assert now() == [("What now?", 0), ("Why?", 0), ("Who now?", 0)]
    assert main([*command, "--take-file", "q1", "--take-file", "all"]) == 0
    assert "--take-file q1: not edited both here and in a file" in capsys.readouterr().err
    assert now() == [("What now?", 0), ("Why now?", 1), ("Who now?", 0)]
    assert "0 changed, 3 unchanged" in bring()


def test_people_s_answers_of_another_tool_are_told_from_the_file_and_written(
    root: str, questions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["import", questions, "--workspace", root, "--yes"])
    batch = tmp_path / "batch.csv"
    batch.write_text(
        "HITId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.id,Answer.choice\n"
        "H,S,WORKER,Submitted,20,q1,A\nH,T,OTHER,Rejected,2,q1,B\n",
        encoding="utf-8",
    )
    capsys.readouterr()
    assert main(["import", str(batch), "--workspace", root, "--yes"]) == 1
    assert "--condition 'full video'" in capsys.readouterr().err
    command = ["import", str(batch), "--workspace", root, "--yes", "--condition", "full video"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "2 people, 1 answers that count, 1 of 1 right" in printed
    assert "left out    1 rejected" in printed
    assert "Written: 1 new answers of people" in printed
    assert "WORKER" not in printed
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["stored"] == {"new": 0, "changed": 0, "same": 1}
