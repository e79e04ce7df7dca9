from dataclasses import dataclass, field

import pytest
from building import (
    make_annotator,
    make_answer,
    make_clip,
    make_item,
    make_question,
    make_revision,
    make_task,
    make_video,
)

from annotations.scoring import human_accuracy, score_coverage
from annotations.scoring.snapshot import data_version, take
from annotations.workspace import Workspace


@dataclass
class Study:
    """A workspace that a test fills by hand, statement by statement."""

    workspace: Workspace
    people: dict[str, int | None] = field(default_factory=dict)
    uid: int = 0

    @property
    def snapshot(self):
        return take(self.workspace)

    def run(self, sql, *parameters):
        with self.workspace.store.write() as database:
            database.conn.execute(sql, parameters)

    def write(self, make, *arguments, **values):
        with self.workspace.store.write() as database:
            return make(database, *arguments, **values)

    def video(self, name, **columns):
        return self.write(make_clip, self.write(make_video, name, **columns))

    def question(self, uid, clip, key, *, options=4, category="rotation", tags=None):
        return self.write(
            make_question, uid, clip, key=key, options=texts(options), category=category, tags=tags
        )

    def revise(self, question, revision, clip, key, *, options=4, category="rotation", tags=None):
        return self.write(
            make_revision, question, clip, revision=revision, key=key, options=texts(options),
            category=category, tags=tags,
        )  # fmt: skip

    def task(self, condition="full video", overlap=2):
        settings = {"condition": condition}
        return self.write(make_task, condition, settings=settings, overlap=overlap)

    def item(self, task, question):
        return self.write(make_item, task, question=question)

    def annotator(self, name, kind="person"):
        if name not in self.people:
            self.people[name] = self.write(make_annotator, name, kind)
        return self.people[name]

    def answer(
        self, name, item, choice, *, condition="full video", skip=None, counted=True, active_s=10.0,
        revision=1, question_revision=None,
    ):  # fmt: skip
        return self.write(
            make_answer, item, self.annotator(name), {} if skip else {"choice": choice},
            shown={"condition": condition, "option_order": [0, 1, 2, 3]}, skip=skip,
            counted=counted, active_s=active_s, revision=revision,
            question_revision=question_revision,
        )  # fmt: skip


def texts(options):
    return options if isinstance(options, list) else [f"option {i}" for i in range(options)]


@pytest.fixture
def study(workspace):
    return Study(workspace)


def two_conditions(study):
    """Two categories, three videos, two conditions, two people."""
    clips = [study.video(f"{name}.mp4") for name in "abc"]
    human, drawn = {"demonstration_type": "human"}, {"demonstration_type": "simulated"}
    questions = [
        study.question("rotation/1", clips[0], 0, options=4, tags=human),
        study.question("rotation/2", clips[0], 1, options=4, tags=human),
        study.question("count/1", clips[1], 1, options=6, category="count", tags=drawn),
        study.question("count/2", clips[2], 3, options=3 + 2, category="count", tags=drawn),
    ]
    full, grid = study.task("full video"), study.task("16 frames")
    full_items = [study.item(full, question) for question in questions]
    grid_items = [study.item(grid, question) for question in questions]
    for item, ada, bob in zip(full_items, [0, 1, 1, 3], [0, 1, 1, 2], strict=True):
        study.answer("Ada", item, ada)
        study.answer("Bob", item, bob)
    for item, ada in zip(grid_items, [0, 2, 0, 3], strict=True):
        study.answer("Ada", item, ada, condition="16 frames", active_s=5.0)
    return questions, full_items, grid_items


def value_by(rows):
    return {(row.group, row.condition): (row.accuracy.value, row.accuracy.n) for row in rows}


def test_accuracy_per_condition_is_a_hand_count(study):
    two_conditions(study)
    # Full video: Ada 4 of 4, Bob 3 of 4. Grid: Ada 2 of 4.
    assert value_by(human_accuracy.accuracy_table(study.snapshot)) == {
        ("all", "full video"): (7 / 8, 8),
        ("all", "16 frames"): (2 / 4, 4),
    }
    [everything] = human_accuracy.accuracy_table(study.snapshot, condition="all")
    assert (everything.accuracy.value, everything.accuracy.n) == (9 / 12, 12)
    assert (everything.questions, everything.accuracy.clusters) == (4, 3)


def test_accuracy_per_category_tag_and_person_is_a_hand_count(study):
    two_conditions(study)
    assert value_by(human_accuracy.accuracy_table(study.snapshot, by="category")) == {
        ("rotation", "full video"): (1.0, 4),
        ("rotation", "16 frames"): (1 / 2, 2),
        ("count", "full video"): (3 / 4, 4),
        ("count", "16 frames"): (1 / 2, 2),
    }
    assert value_by(
        human_accuracy.accuracy_table(
            study.snapshot, by="demonstration_type", condition="full video"
        )
    ) == {("human", "full video"): (1.0, 4), ("simulated", "full video"): (3 / 4, 4)}
    people = human_accuracy.accuracy_table(study.snapshot, by="person")
    assert value_by(people) == {
        ("Ada", "full video"): (1.0, 4),
        ("Ada", "16 frames"): (2 / 4, 4),
        ("Bob", "full video"): (3 / 4, 4),
    }
    assert [row.active_s for row in people] == [40.0, 20.0, 40.0]
    assert people[0].accuracy.reason.startswith("all 4 answers are right: resampling cannot show")


def test_a_group_that_does_not_exist_is_refused_with_those_that_do(study):
    two_conditions(study)
    with pytest.raises(ValueError, match=r"by 'colour'.*person, demonstration_type"):
        human_accuracy.accuracy_table(study.snapshot, by="colour")


def test_baselines_are_over_the_same_questions_each_once(study):
    two_conditions(study)
    rows = {row.group: row for row in human_accuracy.accuracy_table(study.snapshot, by="category")}
    # rotation: two questions of four options, keys A and B.
    assert rows["rotation"].random_guess == pytest.approx(1 / 4)
    assert rows["rotation"].frequent_choice == pytest.approx(1 / 2)
    # count: 6 and 5 options.
    assert rows["count"].random_guess == pytest.approx((1 / 6 + 1 / 5) / 2)
    guess, frequent = human_accuracy.baselines(study.snapshot)
    assert guess.estimate.value == pytest.approx((1 / 4 + 1 / 4 + 1 / 6 + 1 / 5) / 4)
    assert guess.estimate.n == 4
    assert guess.drawn in (0, 0.25, 0.5, 0.75, 1)
    assert frequent.estimate.value == 1 / 2  # keys A B B D


def test_the_difference_of_two_conditions_is_over_questions_that_both_have(study):
    _, full_items, grid_items = two_conditions(study)
    del full_items, grid_items
    extra_question = study.question("rotation/9", study.video("d.mp4"), 0)
    study.answer("Ada", study.item(1, extra_question), 3)
    [found] = human_accuracy.differences(study.snapshot)
    # The fifth question was answered with the full video only and stays out.
    assert (found.first, found.second, found.questions) == ("full video", "16 frames", 4)
    assert found.estimate.value == pytest.approx(7 / 8 - 2 / 4)


def test_no_answers_yet_is_said_and_no_number_is_made_up(study):
    clip = study.video("a.mp4")
    study.item(study.task(), study.question("rotation/1", clip, 0))
    [row] = human_accuracy.accuracy_table(study.snapshot)
    assert (row.accuracy.value, row.accuracy.reason) == (None, "no answers yet")
    assert (row.random_guess, row.frequent_choice) == (None, None)
    assert [one.estimate.reason for one in human_accuracy.baselines(study.snapshot)] == [
        "no questions"
    ] * 2
    assert score_coverage.progress(study.snapshot) == [score_coverage.Progress("full video", 0, 2)]


def test_an_empty_workspace_has_no_rows(workspace):
    assert human_accuracy.accuracy_table(take(workspace)) == []
    assert human_accuracy.accuracy_table(take(workspace), by="person") == []
    assert human_accuracy.differences(take(workspace)) == []
    assert score_coverage.population(take(workspace)).sentences() == []


def test_skips_extras_withdrawn_items_and_questions_without_a_key_are_left_out_and_counted(study):
    clip = study.video("a.mp4")
    task = study.task()
    keyed, unkeyed, gone = (
        study.item(task, study.question(f"rotation/{number}", clip, key))
        for number, key in enumerate([0, None, 0])
    )
    study.answer("Ada", keyed, 0)
    study.answer("Bob", keyed, 1, counted=False)
    study.answer("Cleo", keyed, None, skip="The video does not play")
    study.answer("Ada", unkeyed, 2)
    study.answer("Bob", unkeyed, 2)
    study.answer("Ada", gone, 0)
    study.run("UPDATE item SET status = 'withdrawn' WHERE id = ?", gone)
    [row] = human_accuracy.accuracy_table(study.snapshot)
    assert (row.accuracy.value, row.accuracy.n) == (1.0, 1)
    counts = (
        ("skipped", 1),
        ("on withdrawn items", 1),
        ("extra, beyond the overlap", 1),
        ("on questions without a key", 2),
    )
    assert row.accuracy.excluded == counts
    assert score_coverage.population(study.snapshot).answers == counts
    assert score_coverage.population(study.snapshot).sentences()[0] == "1 answer left out: skipped"


def test_a_correction_replaces_the_answer_and_its_time_adds_up(study):
    item = study.item(study.task(), study.question("rotation/1", study.video("a.mp4"), 2))
    study.answer("Ada", item, 0, active_s=7.0)
    study.answer("Bob", item, 2, active_s=1.0)
    study.answer("Ada", item, 2, revision=2, active_s=3.0)
    ada, bob = human_accuracy.accuracy_table(study.snapshot, by="person")
    assert (ada.accuracy.value, ada.accuracy.n, ada.active_s) == (1.0, 1, 10.0)
    assert (bob.accuracy.value, bob.accuracy.n, bob.active_s) == (1.0, 1, 1.0)


def test_a_corrected_key_moves_answers_to_the_same_options(study):
    clip = study.video("a.mp4")
    question = study.question("rotation/1", clip, 0)
    study.answer("Ada", study.item(study.task(), question), 2)
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.value == 0.0
    study.revise(question, 2, clip, 2, category="direction")
    [row] = human_accuracy.accuracy_table(study.snapshot, by="category")
    assert (row.group, row.accuracy.value) == ("direction", 1.0)


def test_answers_to_other_options_or_another_clip_keep_the_key_they_were_asked_with(study):
    first, second = study.video("a.mp4"), study.video("b.mp4")
    moved = study.question("rotation/1", first, 0)
    renamed = study.question("rotation/2", first, 1)
    task = study.task()
    study.answer("Ada", study.item(task, moved), 0)
    study.answer("Ada", study.item(task, renamed), 1)
    study.revise(moved, 2, second, 3)
    study.revise(renamed, 2, first, 0, options=["option 1", "option 0", "option 2", "option 3"])
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.value == 1.0


def test_questions_of_one_file_under_two_names_are_one_cluster(study):
    clips = [study.video(name, sha256="same content") for name in ("a.mp4", "copy of a.mp4")]
    task = study.task()
    for number, clip in enumerate(clips):
        study.answer("Ada", study.item(task, study.question(f"rotation/{number}", clip, 0)), number)
    [row] = human_accuracy.accuracy_table(study.snapshot)
    assert (row.accuracy.clusters, row.accuracy.reason) == (
        1,
        "one video only: an interval needs at least two",
    )
    [by_question] = human_accuracy.accuracy_table(study.snapshot, resample="question")
    assert (by_question.accuracy.clusters, by_question.accuracy.low) == (2, 0.0)


def test_broken_and_missing_videos_are_left_out_in_words(study):
    good = study.video("ok.mp4")
    empty = study.video("zero.mp4", status="broken", reason="empty file")
    half = study.video("trunc.mp4", status="broken", reason="incomplete file (index missing)")
    study.video("no question about it.mp4", status="broken", reason="empty file")
    task = study.task()
    for number, clip in enumerate([good, empty, half, half]):
        study.question(f"rotation/{number}", clip, 0)
    study.answer("Ada", study.item(task, 1), 0)
    assert score_coverage.population(study.snapshot).sentences() == [
        "2 videos left out, and with them 3 questions: "
        "empty file (1), incomplete file (index missing) (1)"
    ]


def test_a_video_that_went_missing_after_it_was_answered_still_counts(study):
    item = study.item(study.task(), study.question("rotation/1", study.video("a.mp4"), 0))
    study.answer("Ada", item, 0)
    study.run("UPDATE video SET status = 'missing', reason = 'file not found'")
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.n == 1
    assert score_coverage.population(study.snapshot).videos_lost == ()


def test_models_are_not_people(study):
    item = study.item(study.task(), study.question("rotation/1", study.video("a.mp4"), 0))
    study.annotator("stub-model", kind="model")
    study.answer("stub-model", item, 0)
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.n == 0


def test_a_choice_that_is_no_option_is_wrong_and_stays_in_the_count(study):
    item = study.item(study.task(), study.question("rotation/1", study.video("a.mp4"), 0))
    study.answer("Ada", item, None)
    [row] = human_accuracy.accuracy_table(study.snapshot)
    assert (row.accuracy.value, row.accuracy.n) == (0.0, 1)


def test_numbers_follow_new_answers_and_are_read_again_only_then(study):
    item = study.item(study.task(), study.question("rotation/1", study.video("a.mp4"), 0))
    study.answer("Ada", item, 0)
    before = study.snapshot.people
    assert study.snapshot.people is before
    assert data_version(study.workspace) == before.version
    study.answer("Bob", item, 1)
    assert data_version(study.workspace) != before.version
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.value == 1 / 2


def test_an_extra_that_is_counted_later_is_noticed(study):
    item = study.item(study.task(), study.question("rotation/1", study.video("a.mp4"), 0))
    study.answer("Ada", item, 0, counted=False)
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.n == 0
    study.run("UPDATE annotation SET counted = 1")
    study.run("UPDATE item SET answers = 1")
    assert human_accuracy.accuracy_table(study.snapshot)[0].accuracy.n == 1


def test_tags_that_are_flags_read_yes_or_no(study):
    clip = study.video("a.mp4")
    study.question("rotation/1", clip, 0, tags={"zoom": True, "first_person": 0, "empty": ""})
    study.question("rotation/2", clip, 0, tags={"zoom": False})
    task = study.task()
    for question in (1, 2):
        study.answer("Ada", study.item(task, question), 0)
    assert human_accuracy.tags(study.snapshot) == {
        "zoom": ("yes", "no"),
        "first_person": ("0",),
    }
    assert [row.group for row in human_accuracy.accuracy_table(study.snapshot, by="zoom")] == [
        "yes",
        "no",
    ]
    assert [
        row.group for row in human_accuracy.accuracy_table(study.snapshot, by="first_person")
    ] == [
        "0",
        "not stated",
    ]
