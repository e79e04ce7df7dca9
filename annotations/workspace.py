"""The one door: a folder with the database, the media and rushes.toml."""

import json
import logging
import os
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from annotations.media import Media
from annotations.settings_file import FIRST_SETTINGS, SETTINGS_FILE, Settings, read_settings
from core.refusal import Refusal
from db.connection import Store
from db.migrations import NewerSchemaError

LOG = logging.getLogger(__name__)
DATABASE_FILE = "rushes.db"
KEY_FILE = "secret.key"
SHORTEST_KEY = 16


@dataclass
class Workspace:
    """An open workspace; every function of this floor takes one.

    Attributes:
        root: the folder; copying it moves the project.
        store: its database.
        settings: its rushes.toml.
    """

    root: Path
    store: Store
    settings: Settings
    _secret: str = field(repr=False, default="")

    @classmethod
    def create(cls, root: Path, *, name: str = "", demo: bool = False) -> "Workspace":
        """A new workspace in an empty or missing folder.

        Raises:
            ValueError: if the folder already holds a workspace or other files.
        """
        root = root.expanduser().resolve()
        if (root / DATABASE_FILE).exists():
            raise Refusal(
                f"{root} is a workspace already. Import into it, or choose another folder."
            )
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise Refusal(f"{root} is not an empty folder. Choose a new or an empty one.")
        root.mkdir(parents=True, exist_ok=True)
        root.chmod(0o700)  # keys and answers are nobody else's business
        text = FIRST_SETTINGS.format(name=json.dumps(name or root.name))
        if demo:
            text = "demo = true  # anybody who reaches the server may choose who to be\n" + text
        (root / SETTINGS_FILE).write_text(text, encoding="utf-8")
        _write_secret(root / KEY_FILE)
        Store(root / DATABASE_FILE).close()
        return cls.open(root)

    @classmethod
    def open(cls, root: Path) -> "Workspace":
        """The workspace in a folder.

        Raises:
            ValueError: if the folder is none, its settings cannot be read, or its database is an
                empty file or was written by a newer Rushes.
        """
        root = root.expanduser().resolve()
        if not (root / DATABASE_FILE).is_file():
            raise Refusal(
                f"{root} is no workspace (no {DATABASE_FILE}). Make one: rushes init {root}"
            )
        if (root / DATABASE_FILE).stat().st_size == 0:
            raise Refusal(
                f"{root / DATABASE_FILE} is empty (0 bytes): whatever it held is lost. Restore the "
                "newest backup (rushes restore FILE NEW_FOLDER), or delete the folder and make a "
                "new one."
            )
        if not (root / KEY_FILE).exists():
            LOG.warning(
                "%s is missing and is made anew: earlier invite links and sessions have ended. "
                "If a backup has it, put it back.",
                root / KEY_FILE,
            )
            _write_secret(root / KEY_FILE)
        secret = (root / KEY_FILE).read_text(encoding="ascii").strip()
        if len(secret) < SHORTEST_KEY:
            raise Refusal(
                f"{root / KEY_FILE} is empty or cut short, so that links could be forged. Copy it "
                "from a backup, or delete it: a new one is made, and earlier links end."
            )
        settings = read_settings(root / SETTINGS_FILE)
        try:
            store = Store(root / DATABASE_FILE)
        except NewerSchemaError as error:
            raise Refusal(str(error)) from error
        return cls(root, store, settings, secret)

    @property
    def secret(self) -> str:
        """What links, sessions and media addresses are signed with."""
        return self._secret

    @cached_property
    def media(self) -> Media:
        """Where the originals, player copies, frames and sheets lie."""
        return Media(self.root / "media")

    def close(self) -> None:
        """Close the database."""
        self.store.close()


def _write_secret(path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(32))
