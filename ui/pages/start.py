"""Where people begin: their tasks, and for authors how far everything is."""

import shutil
from html import escape

import streamlit as st

from annotations.adjudication.cross_check import waiting_for
from annotations.answering.progress import hourly_rate
from annotations.funnel.stages import stages
from annotations.people import Person, everyone
from annotations.planning.own_tasks import OwnTask, tasks_of_person
from annotations.planning.task_store import status
from annotations.record.task import TaskCounts
from annotations.record.video import has_usable_video
from annotations.workspace import Workspace
from core.byte_size import size_words
from ui.components.desk.desk import mount_unsent
from ui.components.funnel import funnel_html
from ui.components.language import language_links, language_of_reader
from ui.components.nothing_yet import IMPORT, PEOPLE, STUDIO, TASKS, nothing_yet
from ui.components.take_away import take_away
from ui.components.words import plain
from ui.going import go_to
from ui.languages import ENGLISH, decimal_sign, say, texts
from ui.routes.assets import assets_url
from ui.routes.sessions import cookie_name
from ui.theme import DARK, LIGHT

TITLE = "Start"
ICON = ":material/home:"
ROLES = frozenset({"annotator", "author", "admin"})
LITTLE_ROOM = 500_000_000  # bytes
STATES = {
    "closed": ("Closed", "gray", ":material/lock:"),
    "paused": ("Paused", "orange", ":material/pause:"),
}


def render(workspace: Workspace, person: Person) -> None:
    """Draw the tasks to do; for authors the state of the workspace and what to do next."""
    language = language_of_reader()
    words_in = ENGLISH if person.is_author else language  # authors' pages are English
    name_at, leave_at = st.columns([3, 2], vertical_alignment="bottom")
    name_at.title(plain(workspace.settings.name))
    leave_at.html(
        f'<div style="text-align: right; opacity: .8">{language_links(language)} &emsp; '
        f"{escape(person.name)}, {say(words_in, person.role)} · "
        '<a href="/leave" target="_self" style="color: inherit">'
        f"{escape(say(words_in, 'Sign out'))}</a></div>"
    )
    _unsent(workspace, person, words_in)
    tasks = tasks_of_person(workspace, person)
    if person.is_author:
        _state(workspace, person)
    if not tasks:
        _empty(workspace, person, words_in)
        return
    st.subheader("Tasks" if person.is_author else say(words_in, "Your tasks"))
    for task in sorted(tasks, key=_place):
        _task_card(workspace, person, task, words_in)
    if person.is_author:
        take_away(workspace)


def _place(own: OwnTask) -> tuple[bool, bool]:
    """Tasks that can be worked on first, then those that are done, then closed ones."""
    return own.task.status != "open", own.progress["open_for_me"] == 0


def _unsent(workspace: Workspace, person: Person, language: str) -> None:
    """Say how many answers of this person this browser still keeps, and send them."""
    mount_unsent(
        {
            "base": "/desk",
            "assets": assets_url(),
            "person": person.name,
            "workspace": cookie_name(workspace),
            "texts": dict(texts(language)),
        },
        key="unsent",
    )


def _task_card(workspace: Workspace, person: Person, own: OwnTask, language: str) -> None:
    task = own.task
    with st.container(border=True):
        text_at, action = st.columns([4, 1], vertical_alignment="center")
        with text_at:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{plain(task.name)}**", width="content")
                if task.status in STATES:
                    label, colour, icon = STATES[task.status]
                    st.badge(say(language, label), icon=icon, color=colour)  # pyright: ignore[reportArgumentType]
            if person.is_author:
                _answers_line(task)
            else:
                _own_line(workspace, own, language)
        with action:
            _button(person, own, language)


def _answers_line(task: TaskCounts) -> None:
    wanted, answers = task.wanted, task.answers
    items = f"{task.finished:,} of {task.items:,} items finished"
    people = "1 person" if task.overlap == 1 else f"{task.overlap} people"
    st.progress(
        min(1.0, answers / wanted) if wanted else 0.0,
        text=f"{answers:,} of {wanted:,} answers; {items}, {people} each",
    )


def _own_line(workspace: Workspace, own: OwnTask, language: str) -> None:
    progress = own.progress
    handled, total = progress["done"] + progress["skipped"], progress["total"]
    words = [say(language, "{n} of {total} done", n=handled, total=total)]
    if progress["skipped"]:
        words.append(say(language, "{n} of them skipped", n=progress["skipped"]))
    words.append(f"{int(progress['active_s'] // 60)} min")  # as the desk counts them
    if workspace.settings.show_pay:
        words.append(_pay(workspace, own, language))
    st.progress(handled / total if total else 0.0, text=", ".join(words))


def _pay(workspace: Workspace, own_task: OwnTask, language: str) -> str:
    """What was earned, and by what rate; strangers of a survey site are paid by its reward."""
    rate, currency = hourly_rate(workspace, own_task.task), workspace.settings.currency
    sign = decimal_sign(language)
    pay = f"{own_task.progress['pay']:.2f} {currency}".replace(".", sign)
    if not rate or own_task.progress["recruited"]:
        return pay
    hourly = say(language, "{pay} an hour", pay=f"{rate:g} {currency}".replace(".", sign))
    return f"{pay} ({hourly})"


def _button(person: Person, own: OwnTask, language: str) -> None:
    task, progress, can_work = own.task, own.progress, own.can_work
    begun = progress["done"] + progress["skipped"] > 0
    if not can_work and not begun and not person.is_author:
        waits = task.status == "open" and progress["hidden"]
        words = "Opens once you have answered the same questions in another task."
        st.caption(say(language, words if waits else "Nothing to do here now."))
        return
    label = ("Continue" if begun else "Begin") if can_work else "Look back"
    # Many buttons that say "Begin" are told apart by ear: the task's name is heard, not seen.
    if st.button(
        f"{say(language, label)} **{plain(task.name)}**",
        key=f"open-{task.id}",
        type="primary" if can_work and not person.is_author else "secondary",
        width="stretch",
        help=plain(task.name),
    ):
        go_to("annotate", task=str(task.id))


def _state(workspace: Workspace, person: Person) -> None:
    _room(workspace)
    counts = status(workspace)
    people = sum(row.kind == "person" for row in everyone(workspace))
    shown = (
        ("Usable videos", f"{counts['videos_usable']:,} of {counts['videos']:,}"),
        ("Questions", f"{counts['questions']:,}"),
        ("Answers of people", f"{counts['annotations']:,}"),
        ("People", f"{people:,}"),
    )
    if counts["predictions"]:
        shown += (("Answers of models", f"{counts['predictions']:,}"),)
    for column, (name, value) in zip(st.columns(len(shown)), shown, strict=True):
        column.metric(name, value, border=True)
    life = stages(workspace)
    if life:
        palette = DARK if st.context.theme.type == "dark" else LIGHT
        st.html(funnel_html(life, palette))
    waiting = waiting_for(workspace, person)
    if waiting:
        sentence = "1 decision waits" if waiting == 1 else f"{waiting:,} decisions wait"
        words_at, button_at = st.columns([4, 1], vertical_alignment="center")
        words_at.info(f"{sentence} for your signature.", icon=":material/balance:")
        if button_at.button("Look and sign", width="stretch"):
            go_to("disagreements", show="to sign")
    lost = counts["videos_missing"] + counts["videos_broken"]
    if lost:
        st.warning(
            f"Videos missing: {counts['videos_missing']:,}; videos that cannot be read:"
            f" {counts['videos_broken']:,}. Their questions wait; the page Videos says why.",
            icon=":material/report:",
        )


def _room(workspace: Workspace) -> None:
    """Say that the disk is almost full; before all that needs the database, which may fail then."""
    free = shutil.disk_usage(workspace.root).free
    if free < LITTLE_ROOM:
        st.warning(
            f"The disk of this workspace has {size_words(free)} left. Make room: answers "
            "cannot be stored once it is full.",
            icon=":material/hard_drive:",
        )


def _empty(workspace: Workspace, person: Person, language: str) -> None:
    if not person.is_author:
        words = "There is nothing to do yet. An author will add tasks; come back later."
        st.info(say(language, words))
        return
    with workspace.store.single() as database:
        usable = has_usable_video(database)
    if usable:
        words = (
            "No tasks yet. Questions about the videos make one for each condition; a task about "
            "the videos themselves, such as screening, needs no questions."
        )
        nothing_yet(words, IMPORT, STUDIO, TASKS, PEOPLE,
                    command="rushes import QUESTIONS", root=workspace.root)  # fmt: skip
        return
    words = (
        "Nothing is here yet. Videos come in from a folder of the server, by the command below, "
        "and questions with them or as files here; then people are invited."
    )
    nothing_yet(words, IMPORT, PEOPLE,
                command="rushes import QUESTIONS --videos FOLDER", root=workspace.root)  # fmt: skip
