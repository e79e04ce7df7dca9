"""The newest results of a run as cards."""

import streamlit as st

from annotations.engine.run_results import Result, newest_results
from annotations.people import Person
from annotations.run.runs import Run
from annotations.video.video_about import titles_of
from annotations.workspace import Workspace
from ui.components.filters.clips import thumb
from ui.components.filters.gallery import Badge, Card, gallery
from ui.theme import Palette

SHOWN = 20


def results(workspace: Workspace, person: Person, run: Run, palette: Palette) -> str | None:
    """Draw the cards; return the id of the item whose card was just opened, else None."""
    newest = newest_results(workspace, run.id, SHOWN)
    if not newest:
        st.caption("No results yet.")
        return None
    titles = titles_of(workspace, [result.item_id for result in newest])
    cards = [_card(workspace, person, result, titles.get(result.item_id, "")) for result in newest]
    return gallery(cards, palette, f"pipeline results {run.id}", "12.5rem")


def _card(workspace: Workspace, person: Person, result: Result, title: str) -> Card:
    name = result.uid.partition(":")[2] or result.uid
    # A video is known by its file; the numbers of questions begin anew in each folder.
    about_question = result.uid.startswith("question:")
    short_name = name if about_question else name.rsplit("/", 1)[-1]
    badges = [] if result.accepted is None else [
        Badge("accept", "accept") if result.accepted else Badge("reject", "reject")
    ]  # fmt: skip
    if result.score is not None:
        badges.append(Badge(f"{result.score:.3f}".replace("-", "−")))
    if result.state not in ("read", "found", result.words):
        badges.append(Badge(result.state))
    return Card(
        str(result.item_id), title or short_name,
        thumb(workspace, person, result.sha256, result.clip), tuple(badges),
        tuple(line for line in (result.words, result.note) if line),
        "\n".join(filter(None, (title, name, result.words))),
    )  # fmt: skip
