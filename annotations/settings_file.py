"""The settings of a workspace: what rushes.toml may say, and what holds where it says nothing."""

import difflib
import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from annotations.reading.sign_in_settings import SignIn, read_sign_in
from core.refusal import Refusal

SETTINGS_FILE = "rushes.toml"
CLOCK_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
MODEL_FIELDS = ("model", "key")
TABLES = ("models", "sign_in")  # they look at their own fields
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

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
class ListedModel:
    """A model that whoever runs the server allows on pages.

    Attributes:
        model: as `rushes run --model` takes it: a hub name, a folder, or server:URL#MODEL.
        key: name of the environment variable that holds the server's key; '' sends none.
    """

    model: str
    key: str = ""


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


def read_settings(path: Path) -> Settings:
    """Settings from a rushes.toml; what it leaves out has its default.

    Raises:
        ValueError: if the file is no TOML, a value is of the wrong type or out of range, or there
            is no such setting; says which.
    """
    if not path.exists():
        return Settings()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} is not valid TOML: {error}") from error
    default = Settings()
    known: dict[str, list[str]] = {"": [*TABLES]}

    def setting(section: str, key: str, fallback: T) -> T:
        known.setdefault(section, []).append(key)
        values = cast("dict[str, object]", table.get(section, {}) if section else table)
        if not isinstance(cast("object", values), dict):
            raise Refusal(f"{path}: {section} is {values!r}; it has to be the table [{section}].")
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
        models=_listed_models(table.get("models", []), str(path)),
        sign_in=read_sign_in(table.get("sign_in"), str(path)),
        turk_sites=setting("recruiting", "turk_sites", default.turk_sites),
        prolific_complete=setting("recruiting", "prolific_complete", default.prolific_complete),
        backup_at=setting("backup", "nightly", default.backup_at),
        backup_folder=setting("backup", "folder", default.backup_folder),
        backup_keep=setting("backup", "keep", default.backup_keep),
    )
    _check_names(table, known, str(path))
    _check_values(settings, str(path))
    return settings


def _check_names(table: dict[str, Any], known: dict[str, list[str]], path: str) -> None:
    """Refuse a setting that nobody reads: with a wrong name the default would hold unsaid.

    Raises:
        Refusal: for the first unknown one, with the nearest name there is.
    """
    known[""] += [section for section in known if section]
    for section, names in known.items():
        values = cast("dict[str, object]", table.get(section, {}) if section else table)
        for name in values:
            if name in names:
                continue
            where = f"{path}: [{section}]" if section else path
            elsewhere = [f"[{other}]" for other, keys in known.items() if other and name in keys]
            near = difflib.get_close_matches(name, names, 1)
            hint = f" It belongs below {elsewhere[0]}." if elsewhere else ""
            hint = f" Did you mean {near[0]}?" if near and not hint else hint
            raise Refusal(
                f"{where} has {name!r}, which is no setting.{hint} Allowed: {', '.join(names)}."
            )


def _check_values(settings: Settings, path: str) -> None:
    """Refuse values that have the right type and make no sense.

    Raises:
        Refusal: for the first of them.
    """
    for name, value, lowest in (
        ("queue lease_minutes", settings.lease_s / 60, 0.1),
        ("pay rate", settings.rate, 0.0),
        ("pay idle_seconds", settings.idle_s, 1.0),
    ):
        if not lowest <= value < math.inf:
            raise Refusal(f"{path}: {name} is {value:g}; it has to be {lowest:g} or more.")
    if settings.overlap < 1:
        raise Refusal(
            f"{path}: evaluation overlap is {settings.overlap}; at least 1 person is needed."
        )
    if settings.backup_at and not CLOCK_TIME.fullmatch(settings.backup_at):
        raise Refusal(
            f"{path}: backup nightly is {settings.backup_at!r}; it has to be a time of day such as "
            '"03:00", or "" for none.'
        )
    if settings.backup_keep < 1:
        raise Refusal(f"{path}: backup keep is {settings.backup_keep}; at least 1 is kept.")


def _like(value: object, fallback: T, where: str) -> T:
    if isinstance(fallback, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(fallback, tuple) and isinstance(value, list):
        value = tuple(str(element) for element in cast("list[object]", value))
    if type(cast("object", value)) is not type(cast("object", fallback)):
        raise Refusal(f"{where} is {value!r}; it has to look like {fallback!r}.")
    return cast("T", value)


def _listed_models(table: object, where: str) -> tuple[ListedModel, ...]:
    """Return the models of the tables [[models]] in rushes.toml.

    Raises:
        Refusal: if one has no model, an unknown field, or a key that names no variable.
    """
    if not isinstance(table, list):
        raise Refusal(f"{where}: models has to be tables that begin with [[models]].")
    return tuple(
        _listed(entry, f"{where}: models, number {number}")
        for number, entry in enumerate(cast("list[object]", table), 1)
    )


def _listed(entry: object, where: str) -> ListedModel:
    fields = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    unknown = [name for name in fields if name not in MODEL_FIELDS]
    if unknown:
        raise Refusal(f"{where} has a field {unknown[0]!r}. Allowed: {', '.join(MODEL_FIELDS)}.")
    model, key = fields.get("model", ""), fields.get("key", "")
    if not isinstance(model, str) or not model.strip():
        raise Refusal(f"{where} names no model, such as server:https://HOST/v1#NAME.")
    if not isinstance(key, str) or (key and not _VARIABLE.fullmatch(key)):
        raise Refusal(
            f"{where}: key is {key!r}. It names the environment variable that holds the key; the "
            "key itself does not belong into this file."
        )
    return ListedModel(model.strip(), key)
