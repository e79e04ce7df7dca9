"""`rushes serve`: the app in the browser."""

import argparse
import sys
from pathlib import Path

from core.refusal import Refusal
from ui.log import LEVELS

NAME = "serve"
HELP = "serve a workspace to browsers"
DEFAULT_PORT = 8501


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace and where to listen."""
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    parser.add_argument(
        "--host",
        default="0.0.0.0",
        help="address to listen on; 127.0.0.1 for this computer alone (default: all)",
    )
    parser.add_argument(
        "--log-level",
        choices=LEVELS,
        default="info",
        help="what the workspace's rushes.log keeps: this and what is graver (default: info)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    from annotations.workspace import Workspace
    from ui.ports import check_free

    opened = Workspace.open(arguments.workspace)
    opened.close()
    if opened.store.is_read_only:
        raise Refusal(
            f"{opened.root} cannot be written, so nobody could answer. Give the user who runs "
            "Rushes the right to write there."
        )
    check_free(arguments.host, arguments.port)
    print(f"Starting on http://localhost:{arguments.port}", file=sys.stderr)
    from ui.shell.serve import serve

    serve(arguments.workspace, arguments.port, arguments.host, log_level=arguments.log_level)
    return 0
