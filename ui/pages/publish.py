"""Page Publish: what goes out, what is still to be said about it, and the data set itself."""

import streamlit as st

from annotations.people import Person
from annotations.publishing.datasheet import QUESTIONS, authors_answers, keep_answers
from annotations.publishing.preview import (
    Preview,
    archive,
    preview,
    publication_folder,
    video_bytes,
)
from annotations.publishing.publication import publish
from annotations.publishing.withdrawal import keep_withdrawn, withdrawn_videos
from annotations.record.question import has_questions
from annotations.record.video import video_names
from annotations.workspace import Workspace
from core.byte_size import size_words
from core.refusal import Refusal
from ui.components.nothing_yet import IMPORT, STUDIO, nothing_yet
from ui.components.tables import show_table
from ui.components.words import plain

TITLE = "Publish"
ICON = ":material/public:"
ROLES = frozenset({"author", "admin"})
WAYS = {
    "link": "with the files of videos",
    "none": "with links to their sources and content hashes only",
}
MOST_IDS = 20
LARGEST_DOWNLOAD = 500_000_000  # bytes; what is larger is copied from the server
_DONE = "publish done"


def render(workspace: Workspace, person: Person) -> None:
    """Look at what would go out, answer what only authors know, publish, take it away."""
    del person
    st.title("Publish")
    with workspace.store.single() as database:
        any_questions = has_questions(database)
    if not any_questions:
        nothing_yet("There is nothing to publish yet: a data set needs questions.", IMPORT, STUDIO)
        return
    try:
        plan = preview(workspace)
    except Refusal as error:
        st.error(plain(str(error)))
        return
    _what_goes_out(plan)
    _licences(plan)
    _withdrawn(workspace)
    _datasheet(workspace)
    _version(workspace, plan)
    _take_away(workspace)


def _what_goes_out(plan: Preview) -> None:
    counts = {
        "Questions": plan.questions, "Videos": plan.videos, "Answers": plan.answers,
        "Settled by authors": plan.decisions, "Splits": len(plan.splits),
    }  # fmt: skip
    for column, (name, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        column.metric(name, f"{count:,}")
    people = _many(plan.people, "person", "people")
    pseudonyms = ", who go out as A1, A2, …," if plan.people else ""
    notes = [f"Answers are of {people}{pseudonyms} and of {_many(plan.models, 'model')}."]
    if plan.unlabelled:
        notes.append(f"{_many(plan.unlabelled, 'question')} without a key.")
    if plan.missing:
        notes.append(f"The files of {_many(plan.missing, 'video')} are not here.")
    if plan.retired:
        notes.append(f"Retired and not in it: {_many(plan.retired, 'question')}.")
    if plan.withdrawn:
        notes.append(f"Left out with withdrawn videos: {_many(plan.withdrawn, 'question')}.")
    if plan.splits:
        notes.append("Lists of ids: " + ", ".join(plain(name) for name in plan.splits) + ".")
    st.caption(" ".join(notes))


def _licences(plan: Preview) -> None:
    """Videos that nobody has said a licence of."""
    if not plan.unlicensed:
        return
    st.warning(
        f"No licence is stated for {_many(len(plan.unlicensed), 'video')}. State one for all in "
        "the datasheet below, or import a table of videos with a column *license*.",
        icon=":material/gavel:",
    )
    with st.expander("Videos without a licence"):
        show_table({"Video": list(plan.unlicensed)}, height=240)


def _withdrawn(workspace: Workspace) -> None:
    """Videos that are taken out, by name; one withdrawn by its hash stays so."""
    known = withdrawn_videos(workspace)
    with workspace.store.single() as database:
        names = set(video_names(database).values())
    with st.expander(f"Withdrawn videos: {len(known):,}"):
        st.caption(
            "A withdrawn video and its questions are in this version no more, and in no later one. "
            "The changelog names the questions."
        )
        chosen = st.multiselect(
            "Withdrawn", sorted(names), default=sorted(known & names),
            key="publish withdrawn", label_visibility="collapsed",
            placeholder="Choose videos to take out",
        )  # fmt: skip
        wanted = {*chosen, *(known - set(names))}
        if st.button("Keep this list", disabled=wanted == known):
            keep_withdrawn(workspace, wanted)
            st.rerun()


def _datasheet(workspace: Workspace) -> None:
    """The questions that only authors can answer."""
    answers = authors_answers(workspace)
    open_questions = sum(not answers[name] for name, _, _ in QUESTIONS)
    state = f"{open_questions} of {len(QUESTIONS)} questions are open" if open_questions else "done"
    with st.expander(f"Datasheet: {state}"):
        st.caption(
            "What follows from the stored answers is filled in by itself. These questions only you "
            "can answer; what is left open says so in the published sheet."
        )
        with st.form("publish datasheet", border=False):
            written = {
                name: st.text_area(
                    f"{part}: {question}", answers[name], key=f"publish answer {name}", height=68
                )
                for name, part, question in QUESTIONS
            }
            if st.form_submit_button("Keep these answers"):
                keep_answers(workspace, written)
                st.rerun()


def _version(workspace: Workspace, plan: Preview) -> None:
    """The next version, what is other in it, and the button that makes it."""
    st.subheader("Version")
    if plan.version:
        changes = [
            f"- {_many(len(uids), 'question')} {what}: "
            + ", ".join(plain(uid) for uid in uids[:MOST_IDS])
            + (f" and {len(uids) - MOST_IDS:,} more" if len(uids) > MOST_IDS else "")
            for what, uids in plan.changed.items()
        ]
        since = f"Since version {plain(plan.version)}:"
        st.markdown(
            "\n".join([since, "", *changes] if changes else [f"{since} no question changed."])
        )
    else:
        st.caption("Nothing has been published from this page yet.")
    version_at, videos_at = st.columns((1, 3))
    version = version_at.text_input("Version", plan.next_version, max_chars=20).strip()
    ways = videos_at.radio(
        "Videos", list(WAYS), format_func=WAYS.__getitem__, horizontal=True, key="publish videos"
    )
    if report := st.session_state.pop(_DONE, ""):
        st.success(report, icon=":material/check:")
    if not st.button("Publish", type="primary", disabled=not plan.questions or not version):
        return
    bar = st.progress(0.0, "Writing the tables…")

    def progress(message: str, finished: int, total: int) -> None:
        bar.progress(finished / max(total, 1), f"{message}: {finished:,} of {total:,}")

    try:
        counts = publish(
            workspace, publication_folder(workspace), videos=ways, version=version,
            progress=progress,
        )  # fmt: skip
    except Refusal as error:
        bar.empty()
        st.error(plain(str(error)))
        return
    st.session_state[_DONE] = (
        f"Version {plain(version)} is written: {counts['questions']:,} questions, "
        f"{counts['votes']:,} answers, {counts['videos'] - counts['missing_videos']:,} videos. "
        f"The tasks for harnesses ask {counts['in_harnesses']:,} questions."
    )
    st.rerun()


def _take_away(workspace: Workspace) -> None:
    """Buttons that save the published folder, once there is one."""
    folder = publication_folder(workspace)
    if not (folder / "publication.json").is_file():
        return
    st.subheader("Take it away")
    size = video_bytes(folder)
    small = size <= LARGEST_DOWNLOAD
    with st.container(horizontal=True):
        _zip_button(workspace, "Without videos", "publish zip", videos=False)
        if size and small:
            _zip_button(workspace, "With videos", "publish zip videos", videos=True)
    if size and not small:
        st.caption(
            f"The videos take {size_words(size)}, too much for a download here: the folder "
            "*published* in the workspace holds everything, for the administrator to copy."
        )


def _zip_button(workspace: Workspace, label: str, key: str, *, videos: bool) -> None:
    folder = publication_folder(workspace)
    st.download_button(
        label, data=lambda: archive(folder, videos=videos),
        file_name=f"{workspace.settings.name}.zip", mime="application/zip", key=key,
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _many(count: int, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
