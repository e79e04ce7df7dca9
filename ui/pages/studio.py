"""The author's page: a question on a clip, with its frames, checks, negatives, edits and review."""

import streamlit as st

from annotations import author_lists
from annotations.generation.studio import (
    StudioQuestion,
    ask_negatives,
    send_to_review,
    waiting_for_review,
)
from annotations.people import Person
from annotations.record.video import Video, usable_videos
from annotations.workspace import Workspace
from core.check import check
from core.model import ModelError
from core.refusal import Refusal
from ui.components.nothing_yet import nothing_yet
from ui.components.pipeline.model_choices import allowed_key, offered_models
from ui.components.studio.batch_panel import batch_panel
from ui.components.studio.edits import edit_form, watch_edits
from ui.components.studio.stage import choose_segment, draw_stage
from ui.components.studio.text_panel import text_panel

TITLE = "Studio"
ICON = ":material/draw:"
ROLES = frozenset({"author", "admin"})
PENDING, WRONG = "studio-pending", "studio-wrong"
PARTS = ("One clip", "Many videos")
KEPT = ("studio-video", "studio-category", "studio-text", "studio-answer", WRONG)


def render(workspace: Workspace, person: Person) -> None:
    """Choose a clip and mark its segment on the left; write and check the question on the right."""
    st.title("Studio")
    with workspace.store.single() as database:
        videos = {video.sha256: video for video in usable_videos(database)}
    if not videos:
        nothing_yet(
            "No usable videos yet. Once some have come in, questions are written on them here.",
            command="rushes import FOLDER", root=workspace.root,
        )  # fmt: skip
        return
    for key in KEPT:
        # What is written stays while the other part is shown, whose fields are not these.
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]
    part = st.segmented_control(
        "Part", PARTS, default=PARTS[0], key="studio-part", label_visibility="collapsed"
    )
    if part == PARTS[1]:
        batch_panel(workspace, person, videos)
    else:
        _one_clip(workspace, person, videos)


def _one_clip(workspace: Workspace, person: Person, videos: dict[str, Video]) -> None:
    stage_column, question_column = st.columns([5, 4], gap="large")
    with stage_column:
        sha256 = st.selectbox(
            "Video", list(videos), format_func=lambda key: videos[key].name, key="studio-video"
        )
        video = videos[sha256 or next(iter(videos))]
        sha256 = video.sha256
        duration = float(video.facts.get("duration_s") or 0)
        start, end = choose_segment(duration, f"studio-segment-{sha256[:12]}")
        whole = end >= round(duration, 2) - 1e-6
        draw_stage(workspace, person, sha256, start, None if whole else end)
        text_panel(workspace, person, sha256, start, None if whole else end)
        edit_form(workspace, person, videos, sha256, (start, end), whole and start == 0)
        watch_edits(workspace, sha256)
    with question_column:
        question = _written(workspace, video, start, None if whole else end)
        _checks(question)
        _send(workspace, person, question)


def _written(workspace: Workspace, video: Video, start: float, end: float | None) -> StudioQuestion:
    """The question as it stands in the fields."""
    if PENDING in st.session_state:
        st.session_state[WRONG] = st.session_state.pop(PENDING)
    listed = author_lists.load("templates", "temporal")["categories"]
    labels = {entry["id"]: entry["label"] for entry in listed}
    category = st.selectbox(
        "What does it ask about?", list(labels), format_func=lambda key: labels[key],
        key="studio-category",
    )  # fmt: skip
    category = category or next(iter(labels))
    template = next((entry["template"] for entry in listed if entry["id"] == category), "")
    text = st.text_area("Question", key="studio-text", placeholder=template, height=90)
    answer = st.text_input("Right answer", key="studio-answer")
    wrong = st.text_area(
        "Wrong answers, one on each line", key=WRONG, height=150,
        help="Reviewers keep the most plausible ones; all are shown to people in another order.",
    )  # fmt: skip
    _negatives(workspace, answer.strip(), labels[category])
    lines = [" ".join(line.split()) for line in wrong.splitlines() if line.strip()]
    return StudioQuestion(
        video.id, video.sha256, start, end, " ".join(text.split()), answer.strip(),
        tuple(lines), category,
    )  # fmt: skip


def _negatives(workspace: Workspace, answer: str, category: str) -> None:
    """Ask a model for wrong answers; they are added to the field, to be edited there."""
    with st.expander("Ask a model for wrong answers"):
        # None is chosen beforehand: the first of the list may be one that must be downloaded.
        model = st.selectbox(
            "Model", offered_models(workspace, ("text",)), index=None, key="studio-model"
        )
        if not st.button("Ask for nine", disabled=model is None) or model is None:
            return
        try:
            with st.spinner("Asking the model"):
                key = allowed_key(workspace, ("text",), model)
                names = ask_negatives(workspace, model, answer, category, key)
        except (Refusal, ModelError) as refusal:
            st.error(str(refusal))
            return
        written = str(st.session_state.get(WRONG, "")).strip()
        st.session_state[PENDING] = "\n".join(filter(None, [written, *names]))
        st.rerun()


def _checks(question: StudioQuestion) -> None:
    """What the machine's checks find, each with its reason."""
    st.subheader("Checks")
    if not question.text or not question.answer or not question.wrong:
        st.caption("Once question and answers are there, they are checked here as you write.")
        return
    flags = question.flags()
    if not flags:
        st.success("No check finds anything. Reviewers look at it all the same.")
        return
    for entry in flags:
        where = entry.flag.where.replace("option 1", "right answer") or "question"
        for number in range(len(question.wrong), 0, -1):
            where = where.replace(f"option {number + 1}", f"wrong answer {number}")
        st.warning(
            f"{check(entry.check).TITLE}: {where}: {entry.flag.reason}", icon=":material/flag:"
        )


def _send(workspace: Workspace, person: Person, question: StudioQuestion) -> None:
    lacking = question.lacking()
    if st.button("Send to review", type="primary", disabled=bool(lacking)):
        try:
            task = send_to_review(workspace, person, question)
        except Refusal as refusal:
            st.error(str(refusal))
            return
        st.success(f"It waits for review in the task “{task}”. It is no question before that.")
    elif lacking:
        st.caption(" ".join(lacking))
    waiting = waiting_for_review(workspace)
    if waiting:
        st.caption(f"{waiting} from here {'waits' if waiting == 1 else 'wait'} for review.")
