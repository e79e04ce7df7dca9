"""`rushes demo`: a workspace made on the spot, served at once."""

import argparse
import sys
from pathlib import Path

from core.refusal import Refusal

NAME = "demo"
HELP = "make a demo workspace without network and serve it"
DEFAULT_PORT = 8501
DEFAULT_FOLDER = Path.home() / ".rushes" / "demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the demo lies and where it listens."""
    parser.add_argument(
        "--workspace",
        type=Path,
        default=DEFAULT_FOLDER,
        metavar="DIR",
        help=f"kept between starts (default: {DEFAULT_FOLDER})",
    )
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def run(arguments: argparse.Namespace) -> int:
    """Make the demo where there is none, then serve it on this computer alone."""
    from ui.ports import check_free

    check_free("127.0.0.1", arguments.port)
    from annotations.demo.setup import make_demo
    from annotations.workspace import DATABASE_FILE, Workspace

    root: Path = arguments.workspace
    if (root / DATABASE_FILE).exists():
        workspace = Workspace.open(root)
        if not workspace.settings.demo:
            raise Refusal(f"{root} holds no demo. Serve it: rushes serve --workspace {root}")
    else:
        workspace = make_demo(root, lambda step: print(f"{step} …", file=sys.stderr))
    workspace.close()
    address = f"http://localhost:{arguments.port}"
    print(f"Demo on {address} (workspace {workspace.root}); stop it with Ctrl+C", flush=True)
    if not arguments.no_browser:
        _open_when_up(address)
    from ui.shell.serve import serve

    serve(root, arguments.port, "127.0.0.1")
    return 0


def _open_when_up(address: str) -> None:
    import threading
    import time
    import urllib.request
    import webbrowser

    def wait_and_open() -> None:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            except OSError:
                time.sleep(0.5)
            else:
                webbrowser.open(address)
                return

    threading.Thread(target=wait_and_open, daemon=True).start()
