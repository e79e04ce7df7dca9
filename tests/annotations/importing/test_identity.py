"""A part of a file that is imported again makes no second questions of those stored."""

from annotations.importing.import_plan import carry_out, plan_import

HEADER = "id,category,video,question,A,B,answer"
WHOLE = [HEADER, "1,count,v1,How many?,one,two,A", "2,count,v2,How often?,one,two,B",
         "1,way,v3,Which way?,left,right,A", "2,way,v4,Whither?,left,right,B"]  # fmt: skip


def imported(workspace, path, *lines):
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    plan = plan_import(workspace, path)
    carry_out(workspace, plan)
    return plan


def uids(workspace):
    return [row["uid"] for row in workspace.store.rows("SELECT uid FROM question ORDER BY id")]


def test_a_file_of_one_category_is_known_by_what_identified_the_whole(workspace, tmp_path):
    imported(workspace, tmp_path / "all.csv", *WHOLE)
    stored = ["count/1", "count/2", "way/1", "way/2"]
    assert uids(workspace) == stored
    plan = imported(workspace, tmp_path / "count.csv", HEADER, WHOLE[1],
                    "2,count,v2,How often then?,one,two,B")  # fmt: skip
    assert (plan.questions["new"], plan.questions["unchanged"], plan.questions["changed"]) == (
        0, 1, 1,
    )  # fmt: skip
    assert uids(workspace) == stored
    assert "'1' is known here as 'count/1'" in [problem.what for problem in plan.problems.listed]


def test_without_a_category_the_very_same_question_is_known_by_the_end_of_its_id(
    workspace, tmp_path
):
    imported(workspace, tmp_path / "all.csv", *WHOLE)
    plan = imported(
        workspace, tmp_path / "part.csv", "id,video,question,A,B,answer",
        "1,v1,How many?,one,two,A", "2,v2,How often?,one,two,B",
    )  # fmt: skip
    assert plan.questions["new"] == 0
    assert len(uids(workspace)) == 4


def test_another_data_set_s_category_of_the_same_name_is_another_question(workspace, tmp_path):
    imported(workspace, tmp_path / "all.csv", *WHOLE)
    plan = imported(workspace, tmp_path / "b.csv", HEADER, "1,count,w9,How far?,near,far,A")
    assert plan.questions["new"] == 1
    assert uids(workspace)[-1] == "1"


def test_a_new_id_for_a_stored_question_is_told(workspace, tmp_path):
    imported(workspace, tmp_path / "a.csv", "id,video,question,A,B,answer", "q1,v,What?,x,y,A")
    plan = imported(
        workspace, tmp_path / "b.csv", "id,video,question,A,B,answer",
        "other,v,What?,x,y,A", "third,v,What?,x,z,A",
    )  # fmt: skip
    assert plan.questions["new"] == 2
    [problem] = [p for p in plan.problems.listed if "are stored as 'q1'" in p.what]
    assert problem.row == "row 2"
    assert "second question" in problem.todo
