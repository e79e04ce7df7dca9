"""`rushes replace`: another video for a question, which is then asked again."""

import argparse
from pathlib import Path

NAME = "replace"
HELP = "list questions that wait for another video, or give one its new clip"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace, the question and its new clip; without a question the list."""
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("question", nargs="?", help="its id, such as direction/20")
    parser.add_argument("video", nargs="?", help="name of a video of the workspace")
    parser.add_argument("--start", type=float, default=0.0, metavar="S", help="from where on, s")
    parser.add_argument("--end", type=float, metavar="S", help="to where, s (default: the end)")


def run(arguments: argparse.Namespace) -> int:
    """Print what waits for another video, or what replacing one did to its answers."""
    from annotations.question.replacement import replace_clip, replacements
    from annotations.record.question import question_named
    from annotations.workspace import Workspace
    from core.refusal import Refusal

    workspace = Workspace.open(arguments.workspace)
    if arguments.question is None:
        listed = replacements(workspace)
        for entry in listed:
            state = "replaced, now" if entry.replaced else "waits for another video than"
            print(f"{entry.uid}: {state} {entry.video}{' · ' * bool(entry.reason)}{entry.reason}")
        if not listed:
            print("No video is to be replaced.")
        return 0
    if arguments.video is None:
        raise Refusal("Name the new video too: rushes replace QUESTION VIDEO.")
    with workspace.store.read() as database:
        question = question_named(database, arguments.question)
    effect = replace_clip(
        workspace, question.question_id, arguments.video, arguments.start, arguments.end
    )
    print(f"{question.uid} is about {arguments.video} now: {effect.words}.")
    return 0
