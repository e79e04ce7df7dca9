import json

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.planning.task_files import read_rows
from annotations.planning.task_store import all_tasks, create_task, grow
from ui import cli

TASK = """
name = "First look"
kind = "human_evaluation"
overlap = 3
adaptive = true
skip_limit = 2
rate = 18.5
instructions = "how.md"
items = "known.jsonl"
source = "questions"
people = ["Ada"]

[settings]
condition = "16 frames"
"""
KEEP = {
    "verdict": "keep",
    "question": "Which way now?",
    "options": {"key": "1", "kept": ["0", "2"], "texts": {}},
    "flags": ["wrong_key"],
}
KNOWN = """\
{"question": "count/0", "role": "practice", "expected": {"choice": 1}}
{"question": "count/1", "role": "attention", "expected": {"choice": 0}}
"""


@pytest.fixture
def folder(workspace, add_question, add_person, tmp_path):
    """A workspace with four questions and Ada, and a task file beside its items."""
    for number in range(4):
        add_question(f"count/{number}")
    add_person("Ada")
    (tmp_path / "task.toml").write_text(TASK)
    (tmp_path / "known.jsonl").write_text(KNOWN)
    (tmp_path / "how.md").write_text("# Look closely")
    return tmp_path


@pytest.fixture
def rushes(folder, workspace, capsys):
    """Runs `rushes task ...`; gives exit status, output and errors."""

    def run(*given):
        status = cli.main(["task", *map(str, given), "--workspace", str(workspace.root)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_a_task_is_made_as_its_file_says(rushes, folder, workspace):
    status, out, _ = rushes("create", folder / "task.toml")
    assert status == 0
    assert (
        out == "First look has 2 items, 1 of practice, 1 of attention; 3 people each, shuffled.\n"
    )
    [task] = all_tasks(workspace)
    assert (task.overlap, task.adaptive, task.skip_limit, task.rate) == (3, 1, 2, 18.5)
    assert task.instructions == "# Look closely"
    assert task.order_seed == "First look"  # shuffled by its name, if the file says nothing
    assert task.settings["condition"] == "16 frames"
    [row] = workspace.store.rows(
        "SELECT p.name FROM assignment s JOIN annotator p ON p.id = s.annotator_id"
    )
    assert row["name"] == "Ada"
    found = workspace.store.rows("SELECT role, expected FROM item WHERE role <> 'work' ORDER BY id")
    assert found == [
        {"role": "practice", "expected": '{"choice": 1}'},
        {"role": "attention", "expected": '{"choice": 0}'},
    ]


def test_a_file_can_ask_for_the_order_of_import_or_a_seed(rushes, folder, workspace):
    task = 'name = "{}"\nkind = "human_evaluation"\n{}\n'
    for name, order in (("Rows", 'order = "as imported"'), ("Drawn", "seed = 7")):
        (folder / "task.toml").write_text(task.format(name, order))
        assert rushes("create", folder / "task.toml")[0] == 0
    listed = json.loads(rushes("list", "--json")[1])
    assert [one["order_seed"] for one in listed] == [None, "7"]


def test_checking_makes_nothing(rushes, folder, workspace):
    status, out, _ = rushes("create", folder / "task.toml", "--check")
    assert (status, out[:21]) == (0, "First look would have")
    assert all_tasks(workspace) == []


def test_a_short_file_takes_what_the_kind_says(rushes, folder, workspace):
    (folder / "task.toml").write_text('name = "Short"\nkind = "human_evaluation"\n')
    assert rushes("create", folder / "task.toml")[0] == 0
    [task] = all_tasks(workspace)
    assert (task.overlap, task.items, task.rate, task.source) == (
        2,
        4,
        None,
        "questions",
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("overlap = 3", "overlap = 0", "task.toml: overlap: got 0. Allowed: 1 to 1000."),
        ("overlap = 3", 'overlap = "3"', "task.toml: overlap: got '3'. Allowed: a whole number."),
        ("overlap = 3", "overlap = true", "task.toml: overlap: got True. Allowed: a whole number."),
        ("overlap = 3", "overlaps = 3", "task.toml: got a field 'overlaps'. Allowed: name, kind,"),
        ("adaptive = true", "adaptive = 1", "task.toml: adaptive: got 1. Allowed: true or false."),
        ("skip_limit = 2", "skip_limit = 0", "task.toml: skip_limit: got 0. Allowed: 1 to"),
        ("rate = 18.5", "rate = -1", "task.toml: rate: got -1. Allowed: pay per hour"),
        ('kind = "human_evaluation"', 'kind = "x"', "task.toml: kind: got 'x'. Allowed: "),
        ('kind = "human_evaluation"', "", "task.toml: kind: got nothing. Needed: a text."),
        ('name = "First look"', 'name = " "', "task.toml: name: got ''. Allowed: 1 to 120"),
        ('"questions"', '"songs"', "task.toml: source: got 'songs'. Allowed for this kind: "),
        ("how.md", "who.md", "task.toml: instructions: got 'who.md', but there is no such file"),
        ("known.jsonl", "x.jsonl", "task.toml: items: got 'x.jsonl', but there is no such file"),
        (
            '["Ada"]',
            '["Zoe"]',
            "task.toml: people: Zoe: nobody here is called so. Invited are: Ada.",
        ),
        ('["Ada"]', "[3]", "task.toml: people: got [3]. Allowed: a list of names."),
        ('"16 frames"', '"16 cakes"', "task.toml: settings: "),
        ("overlap = 3", 'order = "a-z"', "task.toml: order: got 'a-z'. Allowed: shuffled, as imp"),
        ("overlap = 3", "seed = 1.5", "task.toml: seed: got 1.5. Allowed: a text or a whole"),
        ("overlap = 3", "overlap = ", "task.toml is not valid TOML: "),
    ],
)
def test_an_error_of_the_file_names_the_field_and_what_is_allowed(
    rushes, folder, workspace, old, new, words
):
    (folder / "task.toml").write_text(TASK.replace(old, new))
    status, out, err = rushes("create", folder / "task.toml")
    assert (status, out) == (1, "")
    assert words in err
    assert all_tasks(workspace) == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            '{"question": "count/0", "role": "boss"}',
            "known.jsonl: row 1: role: got 'boss'. Allowed",
        ),
        ('{"question": "count/0", "role": "practice"}', "known.jsonl: row 1: expected: got None."),
        (
            '{"question": "count/0", "expected": {"choice": 1}}',
            "known.jsonl: row 1: expected: got an answer for an item of work.",
        ),
        (
            '{"question": "count/9", "role": "practice", "expected": {"choice": 1}}',
            "known.jsonl: row 1: question: got 'count/9'. Allowed: one of this task's items",
        ),
        ('{"role": "practice", "expected": {"choice": 1}}', "known.jsonl: row 1: names no item."),
        (
            '{"question": "count/0", "role": "practice", "expected": {"choice": 9}}',
            "expected: choice: got 9. Allowed: 0, 1",
        ),
        (
            '{"question": "count/0", "role": "practice", "expected": {"choice": "B"}}',
            "expected: choice: got 'B'. Allowed: 0, 1",
        ),
        (
            '{"question": "count/0", "role": "practice", "expected": {"choice": [0, 1]}}',
            "expected: choice: got [0, 1]. Allowed: 0, 1",
        ),
        (
            '{"question": "count/0", "role": "practice", "expected": {"choice": 1}}\n' * 2,
            "known.jsonl: row 2: the same item as row 1",
        ),
        ('{"question": "count/0"}', "are listed as work, but the task takes all of them"),
        ("{}\n[1]", "known.jsonl: line 2: got [1]. Allowed: an object."),
        ("{}\n{,}", "known.jsonl: line 2 is not valid JSON"),
        ("", "known.jsonl holds no rows."),
    ],
)
def test_an_error_of_a_row_names_file_row_and_field(rushes, folder, workspace, rows, words):
    (folder / "known.jsonl").write_text(rows)
    status, _, err = rushes("create", folder / "task.toml")
    assert status == 1
    assert words in err
    assert all_tasks(workspace) == []


def test_a_name_is_taken_once(rushes, folder):
    assert rushes("create", folder / "task.toml")[0] == 0
    status, _, err = rushes("create", folder / "task.toml")
    assert status == 1
    assert "a task 'First look' exists already" in err


def test_tasks_are_listed_paused_closed_and_reopened(rushes, folder):
    assert "No tasks yet" in rushes("list")[1]
    rushes("create", folder / "task.toml")
    [task] = json.loads(rushes("list", "--json")[1])
    assert (task["name"], task["status"], task["items"], task["wanted"]) == (
        "First look",
        "open",
        2,
        6,
    )
    for verb, state in (("pause", "paused"), ("close", "closed"), ("reopen", "open")):
        assert rushes(verb, "First look")[1] == f"First look is {state}.\n"
        assert json.loads(rushes("list", "--json")[1])[0]["status"] == state
    assert "0 of 6" in rushes("list")[1]
    status, _, err = rushes("pause", "Nothing")
    assert (status, "There is no task 'Nothing'. There are: 'First look'." in err) == (1, True)


def test_decided_reviews_are_applied_once(rushes, workspace, add_person):
    task = create_task(workspace, "Review", "question_review", {}, 1)
    grow(workspace, task)
    ada = add_person("Bea")
    for verdict in (KEEP, {"verdict": "discard"}):
        [row] = queue.lease(workspace, task, ada, 1)
        given = Answer(f"uid-{row.item.id:08}", row.item.id, row.lease.id, verdict, None, 1.0, 0.0)
        assert answer_store.store(workspace, task, ada, [given])[0].status == "stored"
    status, out, _ = rushes("apply", "Review", "--check")
    assert (status, out) == (0, "2 ready; 2 not decided\n")
    out = rushes("apply", "Review")[1]
    assert out == (
        "Review: 2 questions carried over: 1 changed, 1 discarded.\n2 not decided; 2 carried over\n"
    )
    found = json.loads(rushes("apply", "Review", "--json")[1])
    assert (found["applied"]["changed"], found["now"]["carried over"]) == (0, 2)
    assert rushes("apply", "Review")[1].startswith("Review: nothing to carry over.")


def test_what_cannot_be_applied_is_said(rushes, folder):
    assert "There is no task 'Review'. There are: none." in rushes("apply", "Review")[2]
    rushes("create", folder / "task.toml")
    status, _, err = rushes("apply", "First look")
    assert status == 1
    assert "First look is a task of the kind Human evaluation. Allowed: Question review." in err


def test_a_table_gives_the_same_rows_as_lines_of_json(tmp_path):
    (tmp_path / "a.csv").write_text(
        'video,objects,role,expected\nv.mp4,"[""dog"", ""cat""]",practice,"{""ticked"": [0]}"\n'
        "w.mp4,[no list,,\n"
    )
    assert read_rows(tmp_path / "a.csv") == [
        {
            "video": "v.mp4",
            "objects": ["dog", "cat"],
            "role": "practice",
            "expected": {"ticked": [0]},
        },
        {"video": "w.mp4", "objects": "[no list"},
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "a.csv",
            'a,expected\n1,"{x"\n',
            "a.csv: row 2: expected: got {x, which is not valid JSON",
        ),
        ("a.csv", 'a,b\n1,"open\n', "never closed"),
        ("a.ods", "", "a.ods: got a .ods file. Allowed: .jsonl, .csv, .tsv, .xlsx."),
        ("a.jsonl", '{"a": NaN}', "a.jsonl: line 1 is not valid JSON: NaN is no number"),
    ],
)
def test_a_table_that_cannot_be_read_says_where(tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match="a\\.") as caught:
        read_rows(tmp_path / name)
    assert words in str(caught.value)
