from collections import Counter

from annotations.demo.clips import questions
from annotations.demo.earlier import FRAMES, LOST_IN_FRAMES, VIDEO, EarlierAnswer, earlier_answers

ASKED = {question.uid: question for question in questions()}


def accuracy(answers: list[EarlierAnswer]) -> float:
    return sum(a.choice == ASKED[a.question_uid].key for a in answers) / len(answers)


def test_two_people_answered_most_but_not_all_questions_under_both_conditions():
    given = Counter((a.annotator, a.condition) for a in earlier_answers())
    assert len({annotator for annotator, _ in given}) == 2
    for (_, condition), count in given.items():
        assert condition in (FRAMES, VIDEO)
        assert len(ASKED) / 3 < count < len(ASKED)
    assert all(given[annotator, FRAMES] > given[annotator, VIDEO] for annotator, _ in given)


def test_nobody_answers_a_question_twice_under_one_condition():
    seen = Counter((a.annotator, a.condition, a.question_uid) for a in earlier_answers())
    assert set(seen.values()) == {1}


def test_every_choice_is_an_option_and_every_time_is_plausible():
    for a in earlier_answers():
        assert 0 <= a.choice < len(ASKED[a.question_uid].options)
        assert 2 < a.active_s < 90


def test_the_answers_are_the_same_every_time():
    assert earlier_answers() == earlier_answers()


def test_people_are_mostly_right_and_worse_where_frames_lose_the_motion():
    answers = list(earlier_answers())
    assert 0.8 <= accuracy(answers) <= 0.97
    frames = [a for a in answers if a.condition == FRAMES]
    lost = [a for a in frames if a.question_uid in LOST_IN_FRAMES]
    plain = [a for a in frames if a.question_uid not in LOST_IN_FRAMES]
    assert accuracy(lost) < accuracy(plain)
    assert accuracy(frames) < accuracy([a for a in answers if a.condition == VIDEO])


def test_the_questions_said_to_be_hard_exist():
    assert set(ASKED) >= LOST_IN_FRAMES
