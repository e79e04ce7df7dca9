"""Prompts: templates that stand in files, and the version of each that a run keeps.

A template is text with fields such as ``{question}``. What stands before a line ``---`` is the
system prompt. Whoever wants other words puts a file of the same name into the workspace's folder
``prompts``, or names a file.
"""

import contextlib
import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.refusal import Refusal

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "prompts"
SUFFIX = ".txt"
FOLDER = "prompts"
_FIELD = re.compile(r"\{([a-z_]+)\}")
_RULE = re.compile(r"^---[ \t]*$\n?", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """A template.

    Attributes:
        name: of its file, without folder and suffix.
        text: the template as it stands in the file.
    """

    name: str
    text: str

    @property
    def version(self) -> str:
        """12 hex digits of the text's hash: equal words, equal version."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields in it."""
        return frozenset(_FIELD.findall(self.text))

    def fill(self, values: Mapping[str, str]) -> tuple[str, str]:
        """System prompt ('' for none) and prompt, with the fields' values in their places.

        Braces in values, and braces that are no field, stay as they are.
        """
        system_part, rule, rest = _split(self.text)
        system, text = (system_part, rest) if rule else ("", system_part)

        def value(match: re.Match[str]) -> str:
            return values.get(match[1], match[0])

        return _FIELD.sub(value, system).strip(), _FIELD.sub(value, text).strip()


def _split(text: str) -> tuple[str, bool, str]:
    head, *rest = _RULE.split(text, maxsplit=1)
    return head, bool(rest), rest[0] if rest else ""


def shipped() -> tuple[str, ...]:
    """Names of the templates that ship."""
    return tuple(sorted(path.stem for path in ASSETS.glob(f"*{SUFFIX}")))


def own(root: Path) -> tuple[str, ...]:
    """Names of the templates in a workspace's own folder."""
    return tuple(sorted(path.stem for path in (root / FOLDER).glob(f"*{SUFFIX}")))


def fitting(allowed: Collection[str], root: Path | None = None) -> tuple[str, ...]:
    """Names of the templates whose fields can all be filled, the workspace's own among them."""
    names: list[str] = []
    for name in sorted({*shipped(), *(own(root) if root else ())}):
        with contextlib.suppress(ValueError):
            prompt(name, allowed, root)
            names.append(name)
    return tuple(names)


def prompt(
    name: str, allowed: Collection[str], root: Path | None = None, *, files: bool = False
) -> Prompt:
    """The template of a name or in a file; a workspace's own goes before the one that ships.

    Args:
        name: such as 'plain', or the path of a file.
        allowed: fields that can be filled.
        root: the workspace's folder.
        files: whether the path of any file may be given. Only the command line may: its user can
            read that file anyway, an author in a browser cannot.

    Raises:
        ValueError: if there is none, it is empty, or it has a field that nothing fills.
    """
    path = _file(name, root, files=files)
    text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    template = Prompt(path.stem, text)
    if not template.fill({})[1]:
        raise Refusal(f"The prompt in {path} is empty. Write what the model is to be told.")
    unknown = sorted(template.fields - set(allowed))
    if unknown:
        raise Refusal(
            f"The prompt {path.name} has the field {{{unknown[0]}}}, which nothing fills. Allowed: "
            f"{', '.join(f'{{{field}}}' for field in sorted(allowed))}."
        )
    return template


def _file(name: str, root: Path | None, *, files: bool) -> Path:
    plain = re.fullmatch(r"[\w-]+", name) is not None
    folders = [root / FOLDER] if root is not None else []
    if plain:
        for folder in (*folders, ASSETS):
            if (folder / f"{name}{SUFFIX}").is_file():
                return folder / f"{name}{SUFFIX}"
    path = Path(name).expanduser()
    if files and path.is_file():
        return path
    known = dict.fromkeys([*shipped(), *(own(root) if root else ())])
    raise Refusal(
        f"There is no prompt {name!r}. Allowed: {', '.join(known)}{', or a file' if files else ''}."
    )
