"""Every question with the pictures it asks about: searched, filtered, one with its whole story."""

import streamlit as st

from annotations.material.question_list import (
    ANSWERS,
    STATES,
    VIDEO,
    QuestionFilter,
    count_questions,
    list_questions,
    sources,
)
from annotations.material.stories import QuestionStory, question_story
from annotations.people import Person
from annotations.record.question import categories
from annotations.workspace import Workspace
from core.reply.reading import LETTERS
from ui.components.importing.first_questions import accepted_words
from ui.components.local_time import local_time
from ui.components.material.browse import (
    SIZE,
    choice,
    more_choices,
    named,
    open_story,
    show_page,
    words,
)
from ui.components.material.cards import question_cards
from ui.components.material.stories import play, show_answers
from ui.components.nothing_yet import IMPORT, STUDIO, nothing_yet
from ui.components.tables import show_table
from ui.components.words import plain

TITLE = "Questions"
ICON = ":material/quiz:"
ROLES = frozenset({"author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """The gallery, or the question of the address, ?question=ID."""
    asked = st.query_params.get("question", "")
    if asked.isdecimal():
        _one(workspace, person, int(asked))
        return
    st.title("Questions")
    with workspace.store.read() as database:
        total = count_questions(database, QuestionFilter())
        known, formats = categories(database), sources(database)
    if not total:
        nothing_yet(
            "No questions yet. Import a file of them, or write one on a clip; drafts that a model"
            " writes become questions once people have reviewed them.",
            IMPORT, STUDIO, root=workspace.root,
            command="rushes import QUESTIONS --videos FOLDER\n"
            "rushes generate k9 --model MODEL --knowledge FILE",
        )  # fmt: skip
        return
    _gallery(workspace, person, _filter(known, formats))


def _filter(known: list[str], formats: list[str]) -> QuestionFilter:
    search_at, answers_at, category_at, more_at = st.columns([4, 2, 2, 2])
    text = words(search_at, "text", "Search names, questions, options and categories")
    answers = choice("Answers", "answers", ANSWERS, answers_at)
    category = choice("Category", "category", named(known, "every category"), category_at)
    more = more_choices(
        more_at,
        (
            ("State", "state", STATES), ("Video", "video", VIDEO),
            ("Source", "source", named(formats, "wherever from")),
        ),
    )  # fmt: skip
    return QuestionFilter(text, category=category, answers=answers, **more)


def _gallery(workspace: Workspace, person: Person, wanted: QuestionFilter) -> None:
    show_page(
        workspace,
        "question",
        lambda database: count_questions(database, wanted),
        lambda database, start: list_questions(database, wanted, start, SIZE),
        lambda rows: question_cards(workspace, person, rows),
        "15rem",
    )


def _one(workspace: Workspace, person: Person, question_id: int) -> None:
    title_at, story = open_story("question", lambda: question_story(workspace, question_id))
    if story is None:
        return
    question, clip = story.question, story.clip
    title_at.title(plain(question.uid), anchor=False)
    retired = f"retired {story.retired_at[:10]}" if story.retired_at else ""
    st.caption(plain(" · ".join(filter(None, (question.category, retired, *_tags(story))))))
    stage_at, words_at = st.columns([3, 2], gap="large")
    with stage_at:
        if clip.video.status == "usable":
            play(workspace, person, *clip.span, "questions-stage")
        else:
            st.warning(plain(f"Its video {clip.video.name} is {clip.video.status}."))
    with words_at:
        _asked(story)
    st.subheader("Answers and decisions")
    st.markdown(
        f"[Answers of models to it](/failures?question={_quoted(question.uid)}&outcome=all)"
    )
    show_answers(story.asked)
    _history(story)


def _quoted(uid: str) -> str:
    from urllib.parse import quote

    return quote(uid, safe="")


def _tags(story: QuestionStory) -> list[str]:
    plain_values = {True: "yes", False: "no"}
    return [
        f"{name}: {plain_values[value] if isinstance(value, bool) else value}"
        for name, value in story.question.tags.items()
    ]


def _asked(story: QuestionStory) -> None:
    question, clip = story.question, story.clip
    st.markdown(f"**{plain(question.text)}**")
    right: list[str] = question.reference.get("answers", []) if question.options else []
    for index, text in enumerate(question.options):
        mark = " :green[:material/check: key]" if index == question.key else ""
        mark = mark or (" :green[:material/check: right]" if text in right else "")
        st.markdown(f"{_letter(index)}. {plain(text)}{mark}")
    if right:
        st.caption(
            "Any number of options may be chosen; answers of people and models are right by the "
            "whole set (Metrics; Runs, Free-form)."
        )
    elif question.reference:
        st.caption(plain(accepted_words(question.reference)))
    elif question.key is None:
        st.caption("It has no key.")
    video = f"[{plain(clip.video.name)}](/videos?video={clip.video.id})"
    span = "" if clip.end_s is None else f", {clip.start_s:.2f} to {clip.end_s:.2f} s"
    st.markdown(f"Video: {video}{span}")
    came = f"{question.source}, {local_time(story.created_at)}"
    st.caption(plain(f"Came in by: {came}"))
    for name, kept in story.splits:
        st.caption(plain(f"Split {name}: {'kept' if kept else 'left out'}"))


def _letter(index: int) -> str:
    return LETTERS[index] if index < len(LETTERS) else str(index + 1)


def _key(index: int | None) -> str:
    return "" if index is None else _letter(index)


def _history(story: QuestionStory) -> None:
    st.subheader("History")
    show_table(
        {
            "When": [local_time(event["at"]) for event in story.events],
            "Who": [event["who"] for event in story.events],
            "What": [event["what"] for event in story.events],
            "Detail": [str(event["detail"]) for event in story.events],
        },
        wide=("Detail",),
    )
    if len(story.revisions) > 1:
        show_table(
            {
                "Revision": [revision.revision for revision in story.revisions],
                "Question": [revision.text for revision in story.revisions],
                "Options": [" | ".join(revision.options) for revision in story.revisions],
                "Key": [_key(revision.key) for revision in story.revisions],
            },
            wide=("Question", "Options"),
        )
