"""The one door: a folder with the database, the media and rushes.toml."""

import json
import logging
import os
import re
import secrets
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

from annotations.listed_models import ListedModel, listed_models
from annotations.media import Media
from annotations.reading.sign_in_settings import SignIn, read_sign_in
from core.refusal import Refusal
from db.connection import Store
from db.migrations import NewerSchemaError

LOG = logging.getLogger(__name__)
SETTINGS_FILE = "rushes.toml"
DATABASE_FILE = "rushes.db"
KEY_FILE = "secret.key"
SHORTEST_KEY = 16
CLOCK_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")

T = TypeVar("T")

FIRST_SETTINGS = """\
# Settings of this Rushes workspace. Change and restart `rushes serve`.
name = {name}

[evaluation]
# One human-evaluation task is made for each condition:
# "full video", "16 frames", "1 random frame", "16 shuffled frames", ...
conditions = ["full video", "16 frames"]
overlap = 2                 # people per question
shuffle_options = true      # another order of options for each person
meet_once = true            # nobody is asked about a clip that they have seen more of before

[queue]
lease_minutes = 15          # an unanswered item goes back to the others after this

[pay]
rate = 15.0                 # per hour of active time
currency = "USD"
show = true                 # annotators see what they earned
idle_seconds = 60           # without a key or a click, time stops counting

[backup]
nightly = ""                # such as "03:00": a backup each night at this time while it is served
folder = ""                 # where to; "" = the folder NAME-backups beside this one
keep = 7                    # so many of the newest are kept

[server]
url = ""                    # what invite links begin with; "" = where it was last served

# People of an organisation sign in there, beside invite links; see README.
# [sign_in]
# secrets = "/etc/rushes/secrets.toml"      # Streamlit's secrets file with its section [auth]
# name = "Example University"
# [sign_in.roles]
# "ada@example.org" = "author"
# "@example.org" = "annotator"

# Models that authors may use on the page Pipeline, beside those of the list there. The key stands
# in an environment variable of the server, never here.
# [[models]]
# model = "server:https://HOST/v1#NAME"     # or a folder, or another name of the hub
# key = "HOST_API_KEY"
"""


@dataclass(frozen=True)
class Settings:
    """What rushes.toml says, with defaults for what it leaves out."""

    name: str = "Rushes"
    demo: bool = False
    conditions: tuple[str, ...] = ("full video", "16 frames")
    overlap: int = 2
    shuffle_options: bool = True
    meet_once: bool = True
    lease_s: float = 900.0
    rate: float = 15.0
    currency: str = "USD"
    show_pay: bool = True
    idle_s: float = 60.0
    url: str = ""
    backup_at: str = ""
    backup_folder: str = ""
    backup_keep: int = 7
    models: tuple[ListedModel, ...] = ()
    sign_in: SignIn | None = None
    turk_sites: tuple[str, ...] = (
        "https://www.mturk.com",
        "https://worker.mturk.com",
        "https://workersandbox.mturk.com",
    )
    prolific_complete: str = "https://app.prolific.com/submissions/complete"


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


def read_settings(path: Path) -> Settings:
    """Settings from a rushes.toml; what it leaves out has its default.

    Raises:
        ValueError: if the file is no TOML or a value is of the wrong type; says which.
    """
    if not path.exists():
        return Settings()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} is not valid TOML: {error}") from error
    default = Settings()

    def setting(section: str, key: str, fallback: T) -> T:
        values = cast("dict[str, object]", table.get(section, {}) if section else table)
        return _like(values.get(key, fallback), fallback, f"{path}: {section} {key}")

    settings = Settings(
        name=setting("", "name", default.name),
        demo=setting("", "demo", default.demo),
        conditions=setting("evaluation", "conditions", default.conditions),
        overlap=setting("evaluation", "overlap", default.overlap),
        shuffle_options=setting("evaluation", "shuffle_options", default.shuffle_options),
        meet_once=setting("evaluation", "meet_once", default.meet_once),
        lease_s=60 * setting("queue", "lease_minutes", default.lease_s / 60),
        rate=setting("pay", "rate", default.rate),
        currency=setting("pay", "currency", default.currency),
        show_pay=setting("pay", "show", default.show_pay),
        idle_s=setting("pay", "idle_seconds", default.idle_s),
        url=setting("server", "url", default.url),
        models=listed_models(table.get("models", []), str(path)),
        sign_in=read_sign_in(table.get("sign_in"), str(path)),
        turk_sites=setting("recruiting", "turk_sites", default.turk_sites),
        prolific_complete=setting("recruiting", "prolific_complete", default.prolific_complete),
        backup_at=setting("backup", "nightly", default.backup_at),
        backup_folder=setting("backup", "folder", default.backup_folder),
        backup_keep=setting("backup", "keep", default.backup_keep),
    )
    if settings.overlap < 1:
        raise Refusal(
            f"{path}: evaluation overlap is {settings.overlap}; at least 1 person is needed."
        )
    if settings.backup_at and not CLOCK_TIME.fullmatch(settings.backup_at):
        raise ValueError(
            f"{path}: backup nightly is {settings.backup_at!r}; it has to be a time of day such as "
            '"03:00", or "" for none.'
        )
    if settings.backup_keep < 1:
        raise ValueError(f"{path}: backup keep is {settings.backup_keep}; at least 1 is kept.")
    return settings


def _like(value: object, fallback: T, where: str) -> T:
    if isinstance(fallback, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(fallback, tuple) and isinstance(value, list):
        value = tuple(str(element) for element in cast("list[object]", value))
    if type(cast("object", value)) is not type(cast("object", fallback)):
        raise Refusal(f"{where} is {value!r}; it has to look like {fallback!r}.")
    return cast("T", value)


def _write_secret(path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(32))
