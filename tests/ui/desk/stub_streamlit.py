"""The stub server's routes inside real Streamlit, with the desk mounted by `mount_desk`.

python stub_streamlit.py --port 8600 --state /tmp/state.json
"""

import argparse
import sys
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

import stub_tasks  # noqa: E402
from stub_server import Stub, routes  # noqa: E402


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--state", type=Path, required=True)
    given = parser.parse_args()
    stub = Stub(given.state, stub_tasks.Clips(given.state.parent / "clips"))
    beside = [route for route in routes(stub) if getattr(route, "path", "") != "/"]
    app = st.App(HERE / "stub_page.py", routes=beside)
    sys.argv = [sys.argv[0]]
    app.run(
        config={
            "server.port": given.port,
            "server.address": "localhost",
            "server.headless": True,
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": False,
        }
    )


if __name__ == "__main__":
    main()
