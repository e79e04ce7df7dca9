"""The server's log: a rotating file in the workspace, without what must stay secret."""

import logging
import os
import re
import sys
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path

LOG_FILE = "rushes.log"
LARGEST_BYTES = 5_000_000
FILES_KEPT = 5
LEVELS = ("debug", "info", "warning", "error")
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SHORTEST_SECRET = 8
QUIET_S = 60.0
_PATTERNS = (
    (re.compile(r"(/join/)[\w.\-]+"), r"\1…"),
    (re.compile(r"(?i)(bearer\s+)\S+"), r"\1…"),
    (re.compile(r"(rushes_[0-9a-f]{8}=)[^;\s'\"]+"), r"\1…"),
    (re.compile(r"(/desk/media/)[^/\s]+"), r"\1…"),
)


class Discreet(logging.Formatter):
    """Formats records, and replaces links, sessions, tickets and keys by "…"."""

    def __init__(self, secrets: frozenset[str]):
        """Keep the texts that must not be written."""
        super().__init__(FORMAT)
        self.secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record, traceback included."""
        text = super().format(record)
        for secret in self.secrets:
            text = text.replace(secret, "…")
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text


class LogFile(RotatingFileHandler):
    """The log's file; where it cannot be written, one line a minute says so on the console.

    What Python itself would print, a page for each record, tells nobody more on a full disk.
    """

    _told_at = -QUIET_S

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (named by Python)
        """Say why a record is in no file, unless that was said a moment ago."""
        del record
        error, clock = sys.exc_info()[1], time.monotonic()
        if clock - self._told_at >= QUIET_S:
            self._told_at = clock
            print(f"rushes: the log cannot be written: {error}", file=sys.stderr)


def secrets_of(workspace_secret: str) -> frozenset[str]:
    """Return what must not be written: the workspace's key and keys in the environment."""
    named = {value for name, value in os.environ.items() if _SECRET_NAME.search(name)}
    return frozenset(
        value for value in {workspace_secret, *named} if len(value) >= _SHORTEST_SECRET
    )


def start_log(root: Path, workspace_secret: str, level: str = "info") -> RotatingFileHandler:
    """Write what this process logs from a level on to the workspace's log file.

    Returns:
        The handler of the file, for `listen` once more and for `stop_log`.
    """
    handler = LogFile(
        root / LOG_FILE, maxBytes=LARGEST_BYTES, backupCount=FILES_KEPT, encoding="utf-8",
        errors="backslashreplace",
    )  # fmt: skip
    handler.setFormatter(Discreet(secrets_of(workspace_secret)))
    handler.setLevel(level.upper())
    logging.getLogger().setLevel(handler.level)
    listen(handler)
    return handler


def listen(handler: logging.Handler) -> None:
    """Let a handler hear every logger, those too that keep to themselves (as Streamlit's do)."""
    for logger in _apart():
        if handler not in logger.handlers:
            logger.addHandler(handler)


def stop_log(handler: logging.Handler) -> None:
    """Take a log file away from all loggers and close it."""
    for logger in _apart():
        logger.removeHandler(handler)
    handler.close()


def _apart() -> list[logging.Logger]:
    known = logging.getLogger().manager.loggerDict.values()
    return [
        logging.getLogger(),
        *(
            logger
            for logger in known
            if isinstance(logger, logging.Logger)
            and not logger.propagate
            and logger.name != "uvicorn.access"
        ),
    ]
