"""The launcher: one process with Streamlit for the pages and our own routes for the hot path."""

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from annotations.backup.nightly import Nightly
from annotations.backup.unclean_stop import found_at_start, stopped_cleanly
from annotations.filter.filter_table import read_ahead
from annotations.organisation.sign_in_people import follow_settings
from annotations.scoring.snapshot import take
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.links import note_address
from ui.log import listen, start_log
from ui.routes.assets import asset_routes, assets_url
from ui.routes.desk import desk_routes
from ui.routes.failures import failure_routes
from ui.routes.language import language_routes
from ui.routes.media import media_routes
from ui.routes.preview import preview_routes
from ui.routes.recruiting import recruiting_routes
from ui.routes.sessions import session_routes
from ui.routes.sign_in import auth_section, secrets_file, sign_in_routes
from ui.serving import WORKSPACE_VARIABLE, preparer, workspace
from ui.shell.direct import Direct
from ui.shell.gate import Gate
from ui.shell.slow_clients import bound_connections
from ui.theme import streamlit_options

LOG = logging.getLogger(__name__)
APP = Path(__file__).parent / "entry.py"
ENOUGH_FILES = 4_096
MOST_FILES = 1_048_576
COLLECT_EVERY_S = 30.0
SWITCH_INTERVAL_S = 0.0005

# Each line was measured; the hidden ones are held by a test, and Streamlit is pinned.
OPTIONS: dict[str, Any] = {
    "runner.postScriptGC": False,  # a full collection after every rerun costs 100 ms and more
    "runner.magicEnabled": False,
    "server.headless": True,
    "server.fileWatcherType": "none",
    "server.runOnSave": False,
    "server.disconnectedSessionTTL": 1800,  # laptops sleep
    "server.enableStaticServing": False,
    "server.enableAgentApi": False,
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "browser.gatherUsageStats": False,
    "logger.enableRich": False,  # rich prints the traceback of a page past every log
}


def routes(served: Workspace, preparer: Preparer) -> list[BaseRoute]:
    """Our own routes, which stand beside Streamlit's."""
    return [
        *session_routes(served),
        *recruiting_routes(served),
        *sign_in_routes(served),
        *desk_routes(served, preparer),
        *failure_routes(served, preparer),
        *preview_routes(served, preparer),
        *media_routes(served, preparer),
        *asset_routes(),
        *language_routes(),
    ]


def serve(root: Path, port: int, host: str, *, log_level: str = "info") -> None:
    """Serve a workspace until stopped.

    Raises:
        ValueError: if the folder is no workspace.
        OSError: if the port is taken.
    """
    os.environ[WORKSPACE_VARIABLE] = str(root.expanduser().resolve())
    served = workspace()
    secrets_files = _sign_in_files(served)
    log = start_log(served.root, served.secret, log_level)
    warnings = [*found_at_start(served.root, port), *file_limit_words()]
    for line in warnings:
        print(f"rushes: {line}", file=sys.stderr)
    stills = preparer()
    nightly = Nightly(served.root, served.settings)

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncGenerator[dict[str, Any]]:
        del app
        listen(log)  # the server has made its own loggers meanwhile
        LOG.info("Rushes serves %s on port %s", served.root, port)
        for line in warnings:
            LOG.warning("%s", line)
        stills.start()
        threading.Thread(target=_read_ahead, args=(served,), daemon=True).start()
        nightly.start()
        yield {}
        nightly.stop()
        stills.stop()
        served.close()
        stopped_cleanly(served.root)

    ours = routes(served, stills)
    app = streamlit.App(
        APP,
        routes=ours,
        middleware=[Middleware(Gate, workspace=served), Middleware(Direct, routes=ours)],
        lifespan=lifespan,
    )
    note_address(served, port)
    sys.argv = [str(APP.with_name("serve.py"))]
    steady_memory()
    bound_connections()
    options = OPTIONS | streamlit_options(assets_url())
    address: dict[str, Any] = {"server.port": port, "server.address": host}
    app.run(config=options | address | {"secrets.files": secrets_files})


def _sign_in_files(served: Workspace) -> list[str]:
    """Return where Streamlit reads the organisation's sign-in; [] without one.

    Whom the settings do not name any more is signed out here.

    Raises:
        Refusal: if the sign-in that rushes.toml declares cannot work.
    """
    sign_in = served.settings.sign_in
    if sign_in is not None:
        auth_section(served, sign_in)
    if lost := follow_settings(served, sign_in):
        LOG.warning("%s people of the sign-in have no role any more: their access ended", lost)
    return [] if sign_in is None else [str(secrets_file(served, sign_in))]


def file_limit_words() -> list[str]:
    """Allow this process as many open files as it may have; a warning if those are few.

    An open page takes four, and a page that was left keeps three for half an hour.
    """
    try:
        import resource
    except ImportError:  # not on this system
        return []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else max(soft, MOST_FILES)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    if soft >= ENOUGH_FILES:
        return []
    return [
        f"This process may open {soft:,} files, enough for about {soft // 4:,} open pages. For"
        f" more people raise the limit before the start: ulimit -n {ENOUGH_FILES}"
    ]


def _read_ahead(served: Workspace) -> None:
    """Read what is large before somebody asks for it."""
    with take(served) as snapshot:
        snapshot.read_ahead()
        read_ahead(snapshot)


def steady_memory() -> None:
    """Keep garbage collection out of the way of requests: frozen heap, a calm thread instead."""
    import pandas  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import plotly.graph_objects  # noqa: F401  # pyright: ignore[reportUnusedImport, reportMissingTypeStubs]

    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_INTERVAL_S)

    def collect() -> None:
        while True:
            time.sleep(COLLECT_EVERY_S)
            gc.collect()

    threading.Thread(target=collect, name="collector", daemon=True).start()
