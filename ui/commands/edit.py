"""`rushes edit VIDEO`: counterfactual copies of videos, as new videos that know their parents."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import plugins
from core.refusal import Refusal

if TYPE_CHECKING:
    from annotations.workspace import Workspace

NAME = "edit"
# Edits with a shorter way of writing their settings; any other is found by its file.
_LISTED = ("reverse", "mirror", "speed", "crop", "rotate", "trim", "join", "blur")
OCR = "package:rapidocr"
HELP = "make edited copies of videos: reversed, mirrored, faster, cropped, turned, cut, joined"


class AddStep(argparse.Action):
    """Adds one edit to the chain, in the order of the command line."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Read the edit's settings."""
        try:
            step = (self.dest, _settings(self.dest, str(values)))
        except ValueError as error:
            parser.error(f"{option_string}: {error}")
        namespace.steps = [*(namespace.steps or []), step]
        if self.dest == "join":
            namespace.others = [*(namespace.others or []), values]


def _settings(name: str, value: str) -> dict[str, Any]:
    """An edit's settings as the command line has them."""
    if name == "speed":
        return {"factor": value}
    if name == "rotate":
        return {"degrees": value}
    if name == "crop":
        parts = value.replace(" ", "").split(",")
        if len(parts) != 4:
            raise Refusal(f"{value!r} has to look like x,y,w,h, such as 0,0,320,180")
        return dict(zip(("x", "y", "width", "height"), parts, strict=True))
    if name == "trim":
        start, dash, end = value.partition("-")
        if not dash:
            raise Refusal(f"{value!r} has to look like a-b in s, such as 1.5-4")
        return {"start": start, "end": end}
    if name in _LISTED:
        return {}
    return dict(part.split("=", 1) for part in value.split(",") if "=" in part)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which videos, and what is done to them."""
    parser.add_argument("videos", nargs="*", metavar="VIDEO", help="its name or content hash")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.set_defaults(steps=None, others=None)
    parser.add_argument("--reverse", action=AddStep, nargs=0, help="play it backwards")
    parser.add_argument("--mirror", action=AddStep, nargs=0, help="exchange left and right")
    parser.add_argument("--speed", action=AddStep, metavar="X", help="1/4 to 4; 2 is twice as fast")
    parser.add_argument("--crop", action=AddStep, metavar="x,y,w,h", help="px of the shown picture")
    parser.add_argument("--rotate", action=AddStep, metavar="N", help="degrees clockwise")
    parser.add_argument("--trim", action=AddStep, metavar="a-b", help="keep this stretch, s")
    parser.add_argument("--join", action=AddStep, metavar="VIDEO", help="another video after it")
    for name in plugins.names("core.edits"):
        if name not in _LISTED:
            module = plugins.load("core.edits", name)
            values: dict[str, Any] = {"metavar": "NAME=VALUE,..."} if module.DEFAULTS else {}
            values |= {} if values else {"nargs": 0}
            parser.add_argument(
                f"--{name.replace('_', '-')}", dest=name, action=AddStep, help=module.HELP, **values
            )
    parser.add_argument(
        "--blur-text", metavar="WORDS",
        help="alone: a copy in which lines like these words, or 'all', cannot be read any more",
    )  # fmt: skip
    parser.add_argument("--all", action="store_true", help="every video that is no edited copy")
    parser.add_argument(
        "--apart", action="store_true", help="each edit makes a copy of its own, not one chain"
    )
    parser.add_argument("--silent", action="store_true", help="leave the sound out")
    parser.add_argument(
        "--mark-damage", action="store_true",
        help="frames that do not decode become grey; without it they are refused",
    )  # fmt: skip
    parser.add_argument(
        "--questions", action="store_true",
        help="copy the video's questions as drafts without a key, for review",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print what was made as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Make the video; asked for again, name the one that is there."""
    from annotations.edit.edit_store import TABLE, plan_edit
    from annotations.edit.make_edits import make_edit
    from annotations.edit.question_copies import copy_questions
    from annotations.edit.work_rows import release
    from annotations.workspace import Workspace
    from core.editing.recipe import make_recipe
    from core.video.errors import VideoError
    from ui.commands._edit_batch import make_batch
    from ui.commands._progress_bar import FrameBar

    workspace = Workspace.open(arguments.workspace)
    bar = FrameBar("".join(arguments.videos[:1]))
    try:
        if not arguments.videos and not arguments.all:
            raise Refusal("No video is named. Name a video, or all that are no copies with --all.")
        if arguments.blur_text:
            return _blur(workspace, arguments)
        if not arguments.steps:
            raise Refusal("No edit is named. Name one or more, such as --reverse.")
        if arguments.all or arguments.apart or len(arguments.videos) > 1:
            return make_batch(workspace, arguments)
        recipe = make_recipe(
            arguments.steps, sound=not arguments.silent, marks_damage=arguments.mark_damage
        )
        edit_id = plan_edit(workspace, [*arguments.videos, *(arguments.others or [])], recipe)
        release(workspace, TABLE, [edit_id])
        edit = make_edit(workspace, edit_id, bar.show)
        bar.end()
        copies = copy_questions(workspace, edit_id) if arguments.questions else None
    except VideoError as error:
        raise Refusal(str(error)) from error
    finally:
        bar.end()
        workspace.close()
    facts: dict[str, Any] = {
        "video": edit.name, "sha256": edit.sha256, "parent": edit.parent_names[0],
        "parents": list(edit.parent_names), "edit": edit.recipe.label,
    }  # fmt: skip
    if copies is not None:
        facts |= {"drafts": copies.new, "task": copies.task}
    if arguments.json:
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    print(f"{edit.name}\n  parent: {', '.join(edit.parent_names)}\n  edit: {edit.recipe.label}")
    if copies is not None:
        print(f"  {copies.words}")
    if edit.recipe.label.find("mirror") >= 0:
        print("Letters and clocks give a mirrored video away: look for them.", file=sys.stderr)
    return 0


def _blur(workspace: "Workspace", arguments: argparse.Namespace) -> int:
    """Blur text in a copy, and say what was found and whether it is gone."""
    from annotations.edit.edit_store import video_named
    from annotations.edit.screen_text import blur_text
    from annotations.edit.text_reading import find_text
    from core.model_loading import load_model
    from core.question.text_boxes import ALIKE, alike
    from core.refusal import Refusal

    if arguments.steps:
        raise Refusal("--blur-text stands alone. Edit the copy that it makes.")
    if arguments.all or len(arguments.videos) > 1:
        raise Refusal("--blur-text takes one video at a time: look at what it found before more.")
    sha256 = video_named(workspace, arguments.videos[0]).sha256
    model = load_model("ocr", OCR)
    text = find_text(workspace, sha256, model, tell=_told)
    message = arguments.blur_text
    chosen = [
        track
        for track in text.tracks
        if message == "all" or any(alike(reading, message) >= ALIKE for reading in track.texts)
    ]
    if not chosen:
        there = "; ".join(track.text for track in text.tracks) or "no text at all"
        raise Refusal(f"No line is like {message!r}. On screen there is: {there}.")
    blurring = blur_text(workspace, text, chosen, model, tell=_told)
    edit = blurring.edit
    facts = {"video": edit.name, "sha256": edit.sha256, "parent": edit.parent_names[0],
             "lines": list(blurring.lines), "left": list(blurring.still_read)}  # fmt: skip
    if arguments.json:
        print(json.dumps(facts, ensure_ascii=False))
    else:
        print(f"{edit.name}\n  parent: {edit.parent_names[0]}\n  edit: {edit.recipe.label}")
        print(f"  gone after {blurring.rounds} readings: {'; '.join(blurring.lines)}")
    for time, line in blurring.still_read:
        print(f"Still read at {time:.2f} s: {line}", file=sys.stderr)
    return 1 if blurring.still_read else 0


def _told(what: str, finished: int, wanted: int) -> None:
    if sys.stderr.isatty() or finished == wanted:
        print(f"{what}: {finished:,} of {wanted:,} frames", file=sys.stderr, flush=True)
