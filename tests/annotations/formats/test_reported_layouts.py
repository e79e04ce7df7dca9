"""What files that people have look like, one kind after another, each in several variants.

Every variant says the same two questions, so that what is read is the same whatever it is written
in. Beside them stand files in which one row is bad, which costs itself.
"""

import json
import math

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from annotations import format
from annotations.format import Choices
from annotations.importing.import_plan import carry_out, plan_import
from annotations.reading.records import Problem, QuestionDraft

TWO = [
    {"id": "q1", "video": "k1", "question": "Who sits?", "options": ["Ann", "Ben"], "answer": "B"},
    {"id": "q2", "video": "k2", "question": "Who runs?", "options": ["Cy", "Di"], "answer": "A"},
]
READ = [("q1", "k1", ("Ann", "Ben"), 1), ("q2", "k2", ("Cy", "Di"), 0)]


def opened(path, **choices):
    reading = format.load("table").read(path, Choices(**choices))
    rows = list(reading.rows())
    drafts = [row for row in rows if isinstance(row, QuestionDraft)]
    errors = [row for row in rows if isinstance(row, Problem) and row.level == "error"]
    return drafts, errors, reading


def known(drafts):
    return [(draft.uid, draft.video, draft.options, draft.key) for draft in drafts]


def columns(row):
    """A row with a column for each option."""
    rest = {name: value for name, value in row.items() if name != "options"}
    return rest | dict(zip("AB", row["options"], strict=True))


def csv_text(rows, separator=","):
    names = list(rows[0])
    lines = [separator.join(names)]
    lines += [separator.join(str(row[name]) for name in names) for row in rows]
    return "\n".join(lines) + "\n"


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


BY_VIDEO = [{"video": row["video"], "fps": 25, "qa_list": [{k: row[k] for k in (
    "id", "question", "options", "answer")}]} for row in TWO]  # fmt: skip
JSON_FORMS = {
    "a list": json.dumps(TWO),
    "indented": json.dumps(TWO, indent=2),
    "a record a line": "[\n" + ",\n".join(json.dumps(row) for row in TWO) + "\n]\n",
    "a record a line, closed beside": "[" + ",\n ".join(json.dumps(row) for row in TWO) + "]",
    "in a field": json.dumps({"version": "1.0", "data": TWO}),
    "in a field of records": json.dumps({"info": {"name": "x"}, "questions": TWO}),
    "by id": json.dumps({row["id"]: {k: row[k] for k in row if k != "id"} for row in TWO}),
    "commas too many": json.dumps(TWO)[:-1] + ",]",
    "lists of a video": json.dumps(BY_VIDEO),
    "videos by name": json.dumps({row["video"]: row["qa_list"] for row in BY_VIDEO}),
    "records of videos by name": json.dumps(
        {row["video"]: {"fps": 25, "qa": row["qa_list"]} for row in BY_VIDEO}
    ),
    "lines": lines_of(TWO),
    "lines with a mark": "\ufeff" + lines_of(TWO),
    "lines of videos": lines_of(BY_VIDEO),
    "blank lines between": lines_of(TWO).replace("\n", "\n\n"),
    "columns by row, as pandas writes them": json.dumps(
        {name: {str(i): row[name] for i, row in enumerate(TWO)} for name in TWO[0]}
    ),
    "columns as lists": json.dumps({name: [row[name] for row in TWO] for name in TWO[0]}),
    "names of columns, and rows": json.dumps(
        {"columns": list(TWO[0]), "index": [0, 1], "data": [list(row.values()) for row in TWO]}
    ),
    "options with labels beside them": json.dumps(
        [{**row, "options": {"text": row["options"], "label": ["A", "B"]}} for row in TWO]
    ),
    "options as objects": json.dumps(
        [{**row, "options": [{"text": option} for option in row["options"]]} for row in TWO]
    ),
    "options as objects with labels": json.dumps(
        [
            {
                **row,
                "options": [
                    {"label": label, "text": option}
                    for label, option in zip("AB", row["options"], strict=True)
                ][::-1],
            }
            for row in TWO
        ]
    ),
}


@pytest.mark.parametrize("form", JSON_FORMS)
def test_json_in_whatever_form(tmp_path, form):
    path = tmp_path / "q.json"
    path.write_text(JSON_FORMS[form], encoding="utf-8")
    drafts, errors, _ = opened(path)
    assert (known(drafts), errors) == (READ, [])


CSV_FORMS = {
    "commas": csv_text([columns(row) for row in TWO]),
    "semicolons": csv_text([columns(row) for row in TWO], ";"),
    "bars": csv_text([columns(row) for row in TWO], "|"),
    "tabs": csv_text([columns(row) for row in TWO], "\t"),
    "said separator": "sep=;\n" + csv_text([columns(row) for row in TWO], ";"),
    "a Python list": csv_text([{**row, "options": f'"{row["options"]}"'} for row in TWO]),
    "a JSON list": csv_text([
        {**row, "options": '"' + json.dumps(row["options"]).replace('"', '""') + '"'} for row in TWO
    ]),
    "as NumPy prints": csv_text([
        {**row, "options": f"['{row['options'][0]}' '{row['options'][1]}']"} for row in TWO
    ]),
    "as NumPy prints, in lines": csv_text([
        {**row, "options": f"\"['{row['options'][0]}'\n '{row['options'][1]}']\""} for row in TWO
    ]),
    "one text with bars": csv_text([{**row, "options": " | ".join(row["options"])} for row in TWO]),
    "labelled": csv_text([
        {**row, "options": f"A. {row['options'][0]} B. {row['options'][1]}"} for row in TWO
    ]),
    "in brackets": csv_text([
        {**row, "options": f"(A) {row['options'][0]} (B) {row['options'][1]}"} for row in TWO
    ]),
    "in the question": csv_text([
        {k: v for k, v in row.items() if k != "options"}
        | {"question": f'"{row["question"]}\nA. {row["options"][0]}\nB. {row["options"][1]}"'}
        for row in TWO
    ]),
    "option_0 and on": csv_text([
        {k: v for k, v in row.items() if k != "options"}
        | {"option_0": row["options"][0], "option_1": row["options"][1]} for row in TWO
    ]),
}  # fmt: skip


@pytest.mark.parametrize("form", CSV_FORMS)
def test_csv_in_whatever_form(tmp_path, form):
    path = tmp_path / "q.csv"
    path.write_text(CSV_FORMS[form], encoding="utf-8")
    drafts, errors, _ = opened(path)
    assert (known(drafts), errors) == (READ, [])


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_marks_encodings_and_line_ends(tmp_path, encoding, ends):
    rows = [columns({**row, "question": "Who sits – Zoë?"}) for row in TWO]
    path = tmp_path / "q.csv"
    path.write_bytes(csv_text(rows).replace("\n", ends).encode(encoding))
    drafts, errors, _ = opened(path)
    assert (known(drafts), errors) == (READ, [])
    assert drafts[0].text == "Who sits – Zoë?"


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis", "gb18030", "euc_kr", "big5", "cp1251"])
def test_a_named_encoding_is_read_as_such(tmp_path, encoding):
    text = {"cp1252": "Wer läuft über die Straße?", "shift_jis": "だれが走っていますか。",
            "gb18030": "谁在跑步？", "euc_kr": "누가 달리고 있습니까?", "big5": "誰在跑步？",
            "cp1251": "Кто бежит?"}[encoding]  # fmt: skip
    path = tmp_path / "q.csv"
    path.write_bytes(csv_text([columns({**row, "question": text}) for row in TWO]).encode(encoding))
    drafts, errors, _ = opened(path, encoding=encoding)
    assert ([draft.text for draft in drafts], errors) == ([text, text], [])


KEYS = {
    "letters": ["B", "A"], "small letters": ["b", "a"], "letters in brackets": ["(B)", "(A)"],
    "letters with a stop": ["B.", "A."], "Option B": ["Option B", "Option A"],
    "texts": ["Ben", "Cy"], "texts in another case": ["ben", "CY."],
    "letter and text": ["B. Ben", "A. Cy"], "bracket and text": ["(B) Ben", "(A) Cy"],
    "from 0": [1, 0], "from 0 as text": ["1", "0"], "from 0 as fractions": ["1.0", "0.0"],
    "texts with blanks of no width": ["Ben\u200b", "\ufeffCy"],
    "letters with blanks of no width": ["B\u200b", "A"],
    "lists of one": [["B"], ["A"]], "lists of one as text": ["['B']", "['A']"],
}  # fmt: skip


@pytest.mark.parametrize("form", KEYS)
def test_keys_in_whatever_form(tmp_path, form):
    rows = [{**row, "answer": answer} for row, answer in zip(TWO, KEYS[form], strict=True)]
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    drafts, errors, _ = opened(path)
    assert (known(drafts), errors) == (READ, [])


def test_positions_from_1_are_told_by_the_last_option(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(json.dumps([{**TWO[0], "answer": 2}, {**TWO[1], "answer": 1}]))
    drafts, _, _ = opened(path)
    assert known(drafts) == READ


@pytest.mark.parametrize(
    "labels",
    [("A. ", "B. "), ("A) ", "B) "), ("(A) ", "(B) "), ("A: ", "B: "), ("1. ", "2. "),
     ("(1) ", "(2) "), ("Option A: ", "Option B: "), ("[A] ", "[B] ")],
)  # fmt: skip
def test_labels_in_front_of_options_are_no_part_of_them(tmp_path, labels):
    rows = [
        {
            **row,
            "options": [
                f"{label}{option}" for label, option in zip(labels, row["options"], strict=True)
            ],
        }
        for row in TWO
    ]
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows))
    drafts, errors, _ = opened(path)
    assert (known(drafts), errors) == (READ, [])


@pytest.mark.parametrize(
    ("name", "video"),
    [
        ("human/k 1.mp4", "human/k 1.mp4"), ("human\\k1.mp4", "human/k1.mp4"),
        ("./videos/k1.mp4", "videos/k1.mp4"), ("/data/k1.mp4", "data/k1.mp4"),
        ("C:\\data\\k1.mp4", "data/k1.mp4"), ("file:///data/k1.mp4", "data/k1.mp4"),
        ("https://example.org/set/k1.mp4", "set/k1.mp4"), ("café/k1.mp4", "café/k1.mp4"),
        ("https://www.youtube.com/watch?v=aB3dE5fG7hI&t=5s", "aB3dE5fG7hI"),
        ("k1.final.cut.mp4", "k1.final.cut.mp4"),
    ],
)  # fmt: skip
def test_names_of_videos_with_blanks_links_and_other_separators(tmp_path, name, video):
    path = tmp_path / "q.json"
    path.write_text(json.dumps([{**TWO[0], "video": name}, {**TWO[1], "video": name}]))
    drafts, errors, _ = opened(path)
    assert ([draft.video for draft in drafts], errors) == ([video, video], [])


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        ("1", "2.5", (1.0, 2.5)), ("00:01", "00:02.5", (1.0, 2.5)), ("0:00:01", "0:00:03",
                                                                    (1.0, 3.0)),
        ("1.0", "", (1.0, None)), ("", "4", (0.0, 4.0)), ("01:02:03.5", "01:02:04", (3723.5, 3724)),
        ("1e1", "12", (10.0, 12.0)), ("1 s", "2.5sec", (1.0, 2.5)), ("1,5", "3,25", None),
        (1, 2, (1.0, 2.0)), ("NaN", "3", None),
    ],
)  # fmt: skip
def test_times_as_numbers_and_as_clocks(tmp_path, start, end, span):
    rows = [{**TWO[0], "start": start, "end": end}, {**TWO[1], "start": "", "end": ""}]
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows))
    drafts, errors, _ = opened(path)
    if span is None:
        assert [draft.uid for draft in drafts] == ["q2"]  # a time that is none costs its row
        assert len(errors) == 1
        return
    assert (drafts[0].start_s, drafts[0].end_s) == span
    assert errors == []


@pytest.mark.parametrize(
    ("cell", "span"),
    [
        ([1.5, 2.5], (1.5, 2.5)), ([[1.5, 2.5]], (1.5, 2.5)), ("[1.5, 2.5]", (1.5, 2.5)),
        (["0:01", "0:02.5"], (1.0, 2.5)), ({"start": 1.5, "end": 2.5}, (1.5, 2.5)),
        ("1.5s - 2.5s", (1.5, 2.5)), ([1e-05, 2], (1e-05, 2.0)), ([1.5, None], (1.5, None)),
        ([], (0.0, None)), (None, (0.0, None)), ([2.5, 1.5], None), ([1, 2, 3], None),
        ([[1, 2], [4, 5]], None), ({"from": 1}, None),
    ],
)  # fmt: skip
def test_a_span_in_one_column_is_a_text_a_list_or_an_object(tmp_path, cell, span):
    path = tmp_path / "q.json"
    path.write_text(json.dumps([{**TWO[0], "at": cell}]))
    drafts, errors, _ = opened(path, columns=(("start", "at"), ("end", "at")))
    assert [(draft.start_s, draft.end_s) for draft in drafts] == ([span] if span else [])
    assert len(errors) == (span is None)


def test_json_with_nan_and_infinity_costs_the_cell_or_the_row(tmp_path):
    rows = [{**TWO[0], "start": math.nan, "note": math.inf}, {**TWO[1], "answer": math.nan},
            {**TWO[1], "id": "q3", "options": math.nan}]  # fmt: skip
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows))
    drafts, errors, _ = opened(path)
    assert [(d.uid, d.key, d.start_s) for d in drafts] == [("q1", 1, 0.0), ("q2", None, 0.0)]
    assert len(errors) == 1


def test_ids_that_repeat_are_one_question_or_two_errors(tmp_path):
    rows = [*TWO, TWO[0], {**TWO[1], "question": "Who stands?"}]
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows))
    drafts, errors, _ = opened(path)
    # q1 is there twice with the same words; the two q2 say different things, and neither is taken.
    assert [draft.uid for draft in drafts] == ["q1"]
    assert len(errors) == 2


def parquet_forms():
    kinds = {
        "lists": [row["options"] for row in TWO],
        "structs": [{"A": row["options"][0], "B": row["options"][1]} for row in TWO],
        "texts": [str(row["options"]) for row in TWO],
    }
    for name, options in kinds.items():
        for answers in ([1, 0], ["B", "A"], [1.0, 0.0]):
            yield pytest.param(options, answers, id=f"{name}, {answers[0]!r}")


@pytest.mark.parametrize(("options", "answers"), list(parquet_forms()))
def test_parquet_with_lists_structures_and_numbers(tmp_path, options, answers):
    rows = [{**row, "options": option, "answer": answer}
            for row, option, answer in zip(TWO, options, answers, strict=True)]  # fmt: skip
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "q.parquet")
    drafts, errors, _ = opened(tmp_path / "q.parquet")
    assert (known(drafts), errors) == (READ, [])


@pytest.mark.parametrize(
    "bad",
    [
        {"answer": "J"}, {"answer": "Zed"}, {"question": ""}, {"video": ""}, {"video": "../k.mp4"},
        {"options": ["Ann"]}, {"options": ["Ann", ""]}, {"options": ["A. Ann", "C. Ben"]},
        {"id": "2.01E+05"}, {"options": [["Ann"], ["Ben"]]},
    ],
)  # fmt: skip
def test_one_bad_row_costs_itself(workspace, tmp_path, bad):
    path = tmp_path / "q.json"
    path.write_text(json.dumps([*TWO, {**TWO[0], "id": "q3", "question": "Bad?", **bad}]))
    plan = plan_import(workspace, path)
    assert (plan.questions["new"], plan.questions["refused"]) == (2, 1)
    [problem] = [problem for problem in plan.problems.listed if problem.level == "error"]
    assert problem.file == "q.json"
    assert problem.row == "entry 3"
    carry_out(workspace, plan)
    assert len(workspace.store.rows("SELECT 1 FROM question")) == 2


def test_a_broken_line_costs_itself(tmp_path):
    path = tmp_path / "q.jsonl"
    first, second = lines_of(TWO).splitlines()
    path.write_text(f'{first}\n{{"id": "q9", "video": \n{second}\n[1, 2]\n')
    drafts, errors, _ = opened(path)
    assert known(drafts) == READ
    assert [error.row for error in errors] == ["line 2", "line 4"]


@pytest.mark.parametrize("hidden", [-1, "-1", -1.0, "N.A.", "withheld"])
def test_a_position_before_the_first_is_a_key_that_is_kept_back(tmp_path, hidden):
    path = tmp_path / "q.json"
    path.write_text(json.dumps([*TWO, {**TWO[0], "id": "q3", "answer": hidden}]))
    drafts, errors, _ = opened(path)
    assert ([draft.key for draft in drafts], errors) == ([1, 0, None], [])

    path.write_text(json.dumps([{**row, "answer": hidden} for row in TWO]))
    drafts, errors, reading = opened(path)
    assert ([draft.key for draft in drafts], errors, reading.undecided) == ([None, None], [], "")

    # Among temperatures it is a text like the others.
    degrees = {"options": ["-1", "0", "7"], "answer": "-1"}
    path.write_text(json.dumps([{**row, **degrees} for row in TWO]))
    drafts, errors, _ = opened(path, keys="text")
    assert ([draft.key for draft in drafts], errors) == ([0, 0], [])


def test_parts_of_a_data_set_in_one_file_keep_their_names(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"train": [TWO[0]], "val": [TWO[1]]}))
    drafts, errors, _ = opened(path)
    assert ([dict(draft.tags) for draft in drafts], errors) == (
        [{"part": "train"}, {"part": "val"}],
        [],
    )


def test_a_file_without_a_record_that_can_be_read_says_what_is_wrong_with_the_first(tmp_path):
    path = tmp_path / "q.json"
    path.write_text('[{"id": "q1", "answer": "A", "answer": "B"}]')
    with pytest.raises(ValueError, match="entry 1, column answer: the field answer stands there t"):
        opened(path)
    path.write_text("[]")
    with pytest.raises(ValueError, match="holds no records"):
        opened(path)


def test_a_name_that_stands_twice_is_told_with_both_places(tmp_path):
    path = tmp_path / "q.json"
    both = json.dumps(TWO[0]), json.dumps({**TWO[0], "question": "Who stands?"})
    path.write_text(f'{{"q1": {both[0]}, "q1": {both[1]}}}')
    _, errors, _ = opened(path)
    assert [error.todo[-26:] for error in errors] == [
        "(again in id q1, entry 2).",
        "(again in id q1, entry 1).",
    ]


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600, "an old Excel workbook"),
     (b"PK\x03\x04" + b"0" * 600, "a workbook"), (b"\x1f\x8b\x08\x00", "compressed by gzip"),
     (b"%PDF-1.7\n", "a PDF"), (b"PAR1\x15\x04", "a Parquet file")],
)  # fmt: skip
def test_files_of_another_kind_are_called_by_it(tmp_path, content, kind):
    path = tmp_path / "q.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"is not a text file but {kind}"):
        opened(path)


def test_a_zero_byte_costs_its_row_in_a_short_file_too(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(csv_text([columns(TWO[0]), columns({**TWO[1], "question": "Wh\0o?"})]))
    drafts, errors, _ = opened(path)
    assert (known(drafts), [error.row for error in errors]) == (READ[:1], ["row 3"])
