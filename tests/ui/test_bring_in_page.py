import json

import pytest
from streamlit.testing.v1 import AppTest

from annotations.importing.uploads import keep_uploads, safe_name
from annotations.question.questions import revise
from annotations.scoring.snapshot import take
from ui.components.importing.file_settings import words_of_page

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import bring_in
bring_in.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


@pytest.fixture
def app(workspace, add_question):
    add_question("1", key=1)
    add_question("2", key=1)
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=30).run()


def upload(app, number, rows, name="replies.jsonl"):
    content = "\n".join(json.dumps(row) for row in rows).encode()
    app.file_uploader(key=f"bring-in files {number}").upload(name, content, "application/json")
    return app.run()


ROWS = [
    {"id": "1", "response": "B", "score": 1},
    {"id": "2", "response": "I would say it turns right", "score": 0},
    {"id": "9", "response": "A", "score": 0},
]


def test_an_upload_is_shown_as_a_plan_and_written_once_it_says_all(app, workspace):
    upload(app, 0, ROWS)
    assert not app.exception
    assert "**2 replies** belong to stored questions, 1 to none" in app.markdown[0].value
    assert "Name it above." in app.warning[0].value
    assert app.button[0].disabled
    app.text_input(key="bring-in model 0").input("gpt-x").run()
    assert "shown. Name it above. Allowed: 'full video'" in app.warning[0].value
    app.selectbox(key="bring-in condition 0").select("full video").run()
    assert not app.warning
    table = app.dataframe[0].value
    assert table["Model"].tolist() == ["gpt-x"]
    assert (table["Ours"].tolist(), table["Theirs"].tolist()) == ([100.0], [50.0])
    assert "Scored otherwise by us: 1 replies" in [one.label for one in app.expander]
    app.button[0].click().run()
    assert not app.exception
    assert "2 new answers, 0 changed, 0 there already" in app.success[0].value
    assert take(workspace).predictions.right.tolist() == [True, True]


def test_a_file_that_cannot_be_read_says_why(app):
    upload(app, 0, [{"words": "B"}])
    # By its own name: where the server keeps uploads is nothing to the person.
    assert app.error[0].value.startswith("replies\\.jsonl is in no known format of predictions")


def test_without_questions_the_page_says_what_comes_first(workspace):
    app = AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=30).run()
    assert app.file_uploader[0].label == "Files of questions"
    app.segmented_control(key="bring-in kind").set_value("Predictions").run()
    assert "Import them first" in app.info[0].value


HEADER = "id,video,question,A,B,answer"
FILE = [HEADER, "q1,one,What?,x,y,A", "q2,one,Why?,x,y,B", "q3,one,Who?,x,y,A"]
CORRECTED = [HEADER, "q1,one,What now?,x,y,A", "q2,one,Why now?,x,y,B", "q3,one,Who now?,x,y,A"]


def questions(app, number, lines):
    content = "\n".join([*lines, ""]).encode()
    app.file_uploader(key=f"questions-in files {number}").upload("q.csv", content, "text/csv")
    return app.run()


def write(app):
    [button] = [one for one in app.button if one.label.startswith("Write")]
    button.click().run()
    assert not app.exception
    return app.success[0].value


def current(workspace):
    found = workspace.store.rows("SELECT text, key FROM current_question ORDER BY uid")
    return [(row["text"], row["key"]) for row in found]


def test_what_was_edited_here_stays_unless_the_file_is_chosen(workspace):
    app = AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=30).run()
    questions(app, 0, FILE)
    assert "3 new questions" in write(app)
    with workspace.store.write() as database:
        for number, key in ((1, 1), (2, 0)):
            revise(database, number, {"key": key})
    questions(app, 1, FILE)
    assert "0 changed, 3 unchanged, 0 kept" in write(app)
    assert current(workspace) == [("What?", 1), ("Why?", 0), ("Who?", 0)]
    questions(app, 2, CORRECTED)
    assert {one.label: one.value for one in app.metric} == {
        "New": "0", "Changed": "1", "Unchanged": "0", "Edited on both sides": "2", "Refused": "0",
    }  # fmt: skip
    choices = [one for one in app.segmented_control if one.key != "bring-in kind"]
    assert [one.value for one in choices] == ["here", "here"]
    shown = [one.value for one in app.markdown]
    at = shown.index(":gray[key]")
    assert shown[at + 1 : at + 4] == ["A “x”", "B “y”", "A “x”"]
    choices[0].set_value("file").run()
    assert "Write 2 questions" in [one.label for one in app.button]
    assert "2 changed, 0 unchanged, 1 kept" in write(app)
    assert current(workspace) == [("What now?", 0), ("Why?", 0), ("Who now?", 0)]
    questions(app, 3, CORRECTED)  # the rest is listed again, once
    assert len(app.segmented_control) == 2
    assert "0 changed, 2 unchanged, 1 kept" in write(app)
    assert current(workspace) == [("What now?", 0), ("Why?", 0), ("Who now?", 0)]


def test_questions_that_cannot_be_read_say_why(app):
    app.segmented_control(key="bring-in kind").set_value("Questions").run()
    questions(app, 0, ["this,that", "1,2"])
    assert not app.exception
    assert "question" in app.error[0].value


def test_uploaded_names_lead_nowhere(workspace):
    assert safe_name("../../etc/passwd") == "passwd"
    assert safe_name("..\\..\\.hidden name?.csv") == "hidden_name_.csv"
    assert safe_name("...") == "file"
    assert len(safe_name("x" * 500 + ".json")) < 140
    [first, second] = keep_uploads(workspace, [("a.json", b"1"), ("x/a.json", b"2")])
    assert first.is_relative_to(workspace.root / "imports")
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    assert keep_uploads(workspace, [("a.json", b"1"), ("x/a.json", b"2")]) == [first, second]


def ask_for(app, kind):
    app.segmented_control(key="bring-in kind").set_value(kind).run()
    assert not app.exception
    return app


def upload_questions(app, content, name="questions.csv"):
    app.file_uploader(key="questions-in files 0").upload(name, content, "text/csv")
    return app.run()


def test_columns_keys_and_encoding_are_chosen_on_the_page(app, workspace):
    ask_for(app, "Questions")
    text = "nr,clip,Frage,erstens,zweitens,richtig\n7,one,Wer läuft?,Zoë,Ben,0\n"
    upload_questions(app, text.encode("cp1252"))
    assert "no column for the question" in app.error[0].value
    assert "“Question” under “How the files are read”" in app.error[0].value
    assert "--" not in app.error[0].value
    app.selectbox(key="questions-in 0 column question").select("Frage")
    app.multiselect(key="questions-in 0 column options").set_value(["erstens", "zweitens"])
    app.selectbox(key="questions-in 0 column answer").select("richtig")
    app.multiselect(key="questions-in 0 column id").set_value(["clip", "nr"])
    app.selectbox(key="questions-in 0 keys").select("0")
    app.selectbox(key="questions-in 0 encoding").select("cp1252").run()
    assert not app.exception
    assert not app.error
    # The first question is drawn as it was read, with its key.
    drawn = "\n".join(entry.value.replace("\\", "") for entry in app.markdown)
    assert "Wer läuft?" in drawn
    assert "**A. Zoë** :green-badge[key]" in drawn
    next(one for one in app.button if one.label == "Write 1 question").click().run()
    [row] = workspace.store.rows("SELECT uid, text, key FROM current_question WHERE key = 0")
    assert (row["uid"], row["text"]) == ("one/7", "Wer läuft?")


def test_hostile_texts_among_the_first_questions_are_shown_as_text(app):
    ask_for(app, "Questions")
    upload_questions(
        app, b'id,video,question,A,B,answer\nq9,v,"<b>x</b> [link](javascript:1) :red[y]",x,y,A\n'
    )
    drawn = "\n".join(entry.value for entry in app.markdown)
    assert r"\<b\>x\</b\>" in drawn
    assert r"\[link\]\(javascript\:1\)" in drawn


def test_people_s_answers_are_planned_and_written(app, workspace):
    ask_for(app, "People's answers")
    batch = (
        b"HITId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.id,Answer.choice\n"
        b"H,S,W1,Submitted,20,1,B\nH,T,W2,Rejected,2,1,A\n"
    )
    app.file_uploader(key="bring-in files 0").upload("batch.csv", batch, "text/csv")
    app.run()
    assert not app.exception
    assert {entry.label: entry.value for entry in app.metric} == {
        "People": "2", "Answers that count": "1", "Left out": "1", "Not taken": "0",
        "Right": "100.0 %",
    }  # fmt: skip
    assert "shown. Name it above. Allowed: 'full video'" in app.warning[0].value
    app.selectbox(key="bring-in condition 0").select("full video").run()
    assert not app.warning
    next(one for one in app.button if one.label == "Write 1 answer").click().run()
    assert not app.exception
    assert "1 new answers" in app.success[0].value
    [row] = workspace.store.rows("SELECT active_s, counted FROM annotation")
    assert (row["active_s"], row["counted"]) == (20.0, 1)


VERDICTS = (
    "video,annotator,verdict,reasons\nvideo of 1,bo,accept,\nvideo of 2,bo,reject,Too dark\n"
    "video of 9,bo,accept,\n"
)


def upload_csv(app, number, name, content):
    app.file_uploader(key=f"bring-in files {number}").upload(name, content, "text/csv")
    app.run()


def upload_verdicts(app, number):
    upload_csv(app, number, "v.csv", VERDICTS.encode())
    assert not app.exception


def test_verdicts_of_people_and_of_a_filter_come_in_on_the_page(app, workspace):
    ask_for(app, "Verdicts")
    upload_verdicts(app, 0)
    assert {one.label: one.value for one in app.metric} == {
        "People": "1", "Accepted": "1", "Rejected": "1", "Not taken": "1",
    }  # fmt: skip
    assert not app.warning
    assert app.dataframe[0].value["Reasons"].tolist() == ["", "Too dark"]
    button = next(one for one in app.button if one.label == "Write 2 verdicts")
    button.click().run()
    assert "2 new verdicts, 0 changed, 0 there already" in app.success[0].value
    # Named as a filter's, the same file makes a run.
    upload_verdicts(app, 1)
    app.text_input(key="bring-in model 1").input("clip").run()
    assert next(one.label for one in app.metric) == "Filters"
    next(one for one in app.button if one.label == "Write 2 verdicts").click().run()
    assert not app.exception
    [run] = workspace.store.rows("SELECT count(*) AS n FROM prediction")
    assert run["n"] == 2


def test_a_problem_is_told_to_its_end(app):
    ask_for(app, "Questions")
    upload_questions(app, b"id,question,A,B,answer,video\nq,What?,a,b,Z,v.mp4\n")
    assert any(
        drawn.value.startswith(":red-badge[error] questions\\.csv, row 2")
        and "Correct the answer" in drawn.value
        for drawn in app.markdown
    )


def test_questions_among_predictions_are_led_to_the_right_place(app):
    ask_for(app, "Predictions")
    content = b"id,question,A,B,answer\n1,What?,a,b,A\n"
    upload_csv(app, 0, "q.csv", content)
    assert "no known format" in app.error[0].value
    told = app.error[0].value.replace("\\", "")
    assert "and the model above. Where each" in told
    assert "--" not in told
    assert "What the files hold" in app.caption[-1].value


@pytest.mark.parametrize(
    ("told", "drawn"),
    [
        ("Name it: --map source_url=COLUMN. There are: a.",
         "Name it: “Source url” under “How the files are read”. There are: a."),
        ("Name it: --map response=Answer.NAME.",
         "Name it: “Response” under “How the files are read”."),
        ("Name the filter: --model NAME, or ask.", "Name the filter above, or ask."),
        ("Name it: --condition '16 frames'. Allowed: x", "Name it above. Allowed: x"),
    ],
)  # fmt: skip
def test_options_of_the_command_line_are_fields_on_the_page(told, drawn):
    assert words_of_page(told) == drawn


def test_a_column_of_verdicts_can_be_chosen(app):
    ask_for(app, "Verdicts")
    content = b"film,who,ruling\nvideo of 1,bo,accept\n"
    upload_csv(app, 0, "v.csv", content)
    assert "no column says the video" in app.error[0].value
    for field, column in (("video", "film"), ("verdict", "ruling"), ("person", "who")):
        app.selectbox(key=f"bring-in 0 column {field}").select(column)
    app.run()
    assert not app.exception
    assert "Write 1 verdict" in [one.label for one in app.button]


def test_free_answers_are_shown_with_what_they_are_held_against(app, workspace):
    ask_for(app, "Questions")
    upload_questions(app, b"id,video,question,answer\nf1,v,What is it?,a rope\nf2,v,Who?,Ann\n")
    assert not app.exception
    assert "Accepted: a rope" in [one.value.replace("\\", "") for one in app.caption]
    assert "2 new questions" in write(app)
