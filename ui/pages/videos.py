"""Every video as a picture that plays: searched, filtered, and one of them with its whole story."""

from dataclasses import replace

import streamlit as st

from annotations.importing.import_reports import newest_reports
from annotations.material.stories import VideoStory, video_story
from annotations.material.video_list import (
    DAMAGE,
    DUPLICATES,
    LINEAGE,
    QUESTIONS,
    SOURCES,
    VideoFilter,
    count_states,
    count_videos,
    list_videos,
    videos_version,
)
from annotations.people import Person
from annotations.record.question import categories
from annotations.video.duplicates import similar_videos
from annotations.video.video_health import weaknesses
from annotations.workspace import Workspace
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
from ui.components.material.cards import video_cards
from ui.components.material.stories import play, show_answers
from ui.components.nothing_yet import nothing_yet
from ui.components.tables import show_table
from ui.components.words import plain

TITLE = "Videos"
ICON = ":material/movie:"
ROLES = frozenset({"author", "admin"})
NEAR = "videos-near"


def render(workspace: Workspace, person: Person) -> None:
    """The gallery, or the video of the address, ?video=ID."""
    asked = st.query_params.get("video", "")
    if asked.isdecimal():
        _one(workspace, person, int(asked))
        return
    st.title("Videos")
    with workspace.store.read() as database:
        counts = count_states(database)
        known = categories(database)
    if not counts:
        nothing_yet(
            "No videos yet. They come in from a folder of the server, alone or with the file of"
            " questions that names them.",
            command="rushes import FOLDER\nrushes import QUESTIONS --videos FOLDER",
            root=workspace.root,
        )
        return
    wanted = _filter(counts, known)
    near = _near(workspace) if wanted.duplicates == "near" else {}
    _gallery(workspace, person, replace(wanted, near=tuple(near)), near)
    _imports(workspace)


def _filter(counts: dict[str, int], known: list[str]) -> VideoFilter:
    states = {"": f"all {sum(counts.values()):,}"}
    states |= {state: f"{state} {number:,}" for state, number in sorted(counts.items())}
    search_at, state_at, category_at, more_at = st.columns([4, 2, 2, 2])
    text = words(search_at, "text", "Search names and titles")
    state = choice("State", "state", states, state_at)
    category = choice("Category", "category", named(known, "every category"), category_at)
    more = more_choices(
        more_at,
        (
            ("Source", "source", SOURCES), ("Damage", "damage", DAMAGE),
            ("Duplicates", "duplicates", DUPLICATES), ("Lineage", "lineage", LINEAGE),
            ("Questions", "questions", QUESTIONS),
        ),
    )  # fmt: skip
    return replace(VideoFilter(text, state, category), **more)


def _near(workspace: Workspace) -> dict[int, str]:
    """Videos whose pictures are almost those of another one, with how much, by id.

    Kept for a sitting, until a video is added or goes: comparing tens of thousands takes minutes.
    """
    with workspace.store.read() as database:
        version = tuple(videos_version(database))
    kept = st.session_state.get(NEAR)
    if not kept or kept[0] != version:
        with st.spinner("Comparing the pictures of all videos. The first time takes longest."):
            similar = similar_videos(workspace)
        kept = (version, {video: matches[0].words for video, matches in similar.items()})
        st.session_state[NEAR] = kept
    return kept[1]


def _gallery(
    workspace: Workspace, person: Person, wanted: VideoFilter, near: dict[int, str]
) -> None:
    show_page(
        workspace,
        "video",
        lambda database: count_videos(database, wanted),
        lambda database, start: list_videos(database, wanted, start, SIZE),
        lambda rows: video_cards(workspace, person, rows, near),
        "13rem",
    )


def _one(workspace: Workspace, person: Person, video_id: int) -> None:
    title_at, story = open_story("video", lambda: video_story(workspace, video_id))
    if story is None:
        return
    title_at.title(plain(story.video.facts.get("title") or story.video.name), anchor=False)
    st.caption(plain(_line(story)))
    stage_at, facts_at = st.columns([3, 2], gap="large")
    with stage_at:
        if story.video.status == "usable":
            play(workspace, person, story.video.sha256, 0.0, None, "videos-stage")
        else:
            st.warning(plain(f"{story.video.status}: {story.video.reason}"))
    with facts_at:
        _facts(story)
    _questions(story)
    st.subheader("Tasks, answers and decisions")
    show_answers(story.asked)


def _line(story: VideoStory) -> str:
    facts = story.video.facts
    parts = [
        story.video.name if facts.get("title") else "",  # else it is the page's title
        f"{facts['duration_s']:.2f} s" if facts.get("duration_s") else "",
        f"{facts['n_frames']:,} frames" if facts.get("n_frames") else "",
        f"{facts['width']}×{facts['height']}" if facts.get("width") else "",
        str(facts.get("codec") or ""),
        *(weaknesses(facts) if story.video.status == "usable" else ()),
    ]
    return " · ".join(filter(None, parts))


def _facts(story: VideoStory) -> None:
    """Where it comes from, what was made of it, and what else is known."""
    st.markdown("**Where it comes from**")
    if story.origin:
        label = story.origin.recipe.label
        parents = ", ".join(story.origin.parent_names)
        st.markdown(plain(f"Made here: {label} of {parents}"))
    else:
        st.markdown(plain(f"Brought in {local_time(story.created_at)}"))
    if story.source_url:
        st.link_button("Open its source", story.source_url, icon=":material/open_in_new:")
    if facts := [str(story.video.facts[name]) for name in ("uploader", "licence")
                 if story.video.facts.get(name)]:  # fmt: skip
        st.caption(plain(" · ".join(facts)))
    for title, videos in (
        ("The same file under other names", story.same),
        ("Its family: edits of it, and what it is an edit of", story.relatives),
    ):
        if videos:
            st.markdown(f"**{title}**")
            for row in videos:
                st.markdown(f"- [{plain(row.name)}](/videos?video={row.id})")
    waiting = [edit for edit in story.copies if edit.video_id is None]
    if waiting:
        st.caption(f"{len(waiting)} edited copies are not made yet.")


def _questions(story: VideoStory) -> None:
    st.subheader("Clips and questions")
    if len(story.clips) > 1:
        show_table(
            {
                "From s": [clip.start_s for clip, _ in story.clips],
                "To s": [clip.end_s for clip, _ in story.clips],
                "Questions": [asked for _, asked in story.clips],
            }
        )
    if not story.questions:
        st.caption("No question is asked about it.")
    for row in story.questions:
        line = f"[{plain(row.uid)}](/questions?question={row.id}) {plain(row.text)}"
        st.markdown(f"- {line}")


def _imports(workspace: Workspace) -> None:
    reports = newest_reports(workspace)
    if not reports or not st.toggle("What the last imports reported", key="videos-imports"):
        return
    for report in reports:
        with st.expander(f"{local_time(report.created_at)} · {report.format} · {report.path}"):
            st.json(report.counts, expanded=2)
