"""The workspace that this process serves; pages and routes share it."""

import os
from functools import cache
from pathlib import Path

from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from core.refusal import Refusal

WORKSPACE_VARIABLE = "RUSHES_WORKSPACE"


@cache
def workspace() -> Workspace:
    """The served workspace, opened once; its folder is in the environment.

    Raises:
        ValueError: if no folder is named there, or it is no workspace.
    """
    folder = os.environ.get(WORKSPACE_VARIABLE)
    if not folder:
        raise Refusal(f"No workspace is served: {WORKSPACE_VARIABLE} is not set.")
    return Workspace.open(Path(folder))


@cache
def preparer() -> Preparer:
    """What makes the served workspace's stills; it works ahead once it is started."""
    return Preparer(workspace())
