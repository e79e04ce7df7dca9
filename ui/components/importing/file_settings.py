"""How files are read: their encoding, how keys count, and which column is which field."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.refusal import Refusal
from ui.components.words import plain

Pairs = tuple[tuple[str, str], ...]
AS_FOUND = "as found"
ENCODINGS = (
    AS_FOUND, "utf-8", "utf-16", "cp1252", "latin-1", "gb18030", "big5", "shift_jis", "euc_jp",
    "euc_kr", "cp1251", "koi8_r", "cp1250", "iso8859_2", "iso8859_7", "cp1256", "cp874",
)  # fmt: skip
KEYS = {
    "": "as the file says",
    "letters": "letters",
    "0": "positions from 0",
    "1": "positions from 1",
    "text": "texts of the options",
}
# Where uploads are kept is nothing to their author: a file is called by its own name.
_KEPT_AT = re.compile(r"/[^\n\"':;]*?/imports/[0-9a-f]{16}/(?:uploads/?)?")
# What the command line is told by options, the page has fields for.
_COLUMN_OPTION = re.compile(r"--map (\w+)=[\w.]+(?<!\.)")
_NAMED_ABOVE = re.compile(r": --(?:model NAME|condition '[^']*')")
_UNKNOWN_FORMAT = "no known format"
# Fields that take several columns: joined with '/', or one option or tag from each.
SEVERAL = {"id": "+", "category": "+", "options": ","}
HELP = {
    "id": "Several columns are joined: a question's number that repeats needs its category too.",
    "options": "One column that holds all options, or one column for each, in order.",
    "tag": "Columns that questions are told apart by: in tables, filters and metrics.",
    "response": "What the model or the person answered.",
    "start": "Start of the clip; one column for start and end is read as a span, such as 3.1-6.4.",
}


@dataclass(frozen=True)
class FileSettings:
    """What a person decided about how files are read; '' and () leave it to the files."""

    columns: Pairs = ()
    keys: str = ""
    encoding: str = ""
    layout: str = ""


def choose_settings(
    paths: Sequence[Path],
    fields: Sequence[str],
    columns_of: Callable[[Path, str], Sequence[str]],
    layouts: Sequence[str],
    name: str,
    *,
    keys: bool = True,
) -> FileSettings:
    """Draw the choices, and return what is chosen.

    Args:
        paths: the files.
        fields: that columns may be assigned to, such as 'question'.
        columns_of: names of a file's columns, read in an encoding.
        layouts: names of the readers; none where there is one alone.
        name: for the keys of the widgets; another one forgets what was chosen.
        keys: whether the files hold answers, which may be letters, positions or texts.
    """
    with st.expander("How the files are read"):
        layout_at, encoding_at, keys_at = st.columns(3)
        layout = layout_at.selectbox(
            "Layout", layouts, index=None, placeholder=AS_FOUND, key=f"{name} layout",
            disabled=not layouts,
        )  # fmt: skip
        encoding = encoding_at.selectbox(
            "Encoding", ENCODINGS, accept_new_options=True, key=f"{name} encoding",
            help="If letters look wrong in the first questions, choose the file's own.",
        )  # fmt: skip
        written = keys_at.selectbox(
            "How answers are written", list(KEYS), format_func=KEYS.__getitem__,
            key=f"{name} keys", disabled=not keys,
        )  # fmt: skip
        encoding = "" if encoding in (None, AS_FOUND) else encoding
        columns = _columns(paths, columns_of, encoding)
        if not columns:
            return FileSettings((), written or "", encoding, layout or "")
        st.caption("Columns are found by their names. Choose one where that goes wrong.")
        pairs: list[tuple[str, str]] = []
        for start in range(0, len(fields), 4):
            for place, field in zip(st.columns(4), fields[start : start + 4], strict=False):
                with place:
                    pairs += _assigned(field, columns, f"{name} column {field}")
    return FileSettings(tuple(pairs), written or "", encoding, layout or "")


def words_of_page(message: str) -> str:
    """Words about files, with the fields of the page for what are options of the command line."""
    message = _NAMED_ABOVE.sub(" above", _KEPT_AT.sub("", message))
    return _COLUMN_OPTION.sub(
        lambda option: f"“{_label(option[1])}” under “How the files are read”", message
    )


def show_refusal(message: str) -> None:
    """Say why files cannot be read, and where on the page that is mended."""
    message = words_of_page(message)
    st.error(plain(message))
    if "--" in message:
        st.caption("Columns, keys, layout and encoding are chosen under “How the files are read”.")
    if _UNKNOWN_FORMAT in message:
        st.caption("Do they hold something else? Choose it at the top, “What the files hold”.")


def _columns(
    paths: Sequence[Path], columns_of: Callable[[Path, str], Sequence[str]], encoding: str
) -> list[str]:
    """Names of columns in any of the files; none where no file is a table."""
    names: dict[str, None] = {}
    for path in paths:
        try:
            names.update(dict.fromkeys(columns_of(path, encoding)))
        except Refusal:
            continue
    return list(names)


def _label(field: str) -> str:
    return field.replace("_", " ").capitalize()


def _assigned(field: str, columns: Sequence[str], key: str) -> Pairs:
    """Pairs of field and column for what is chosen."""
    label, explanation = _label(field), HELP.get(field)
    if field not in SEVERAL and field != "tag":
        chosen = st.selectbox(
            label, columns, index=None, placeholder=AS_FOUND, key=key, help=explanation
        )
        return () if chosen is None else ((field, chosen),)
    several = st.multiselect(label, columns, placeholder=AS_FOUND, key=key, help=explanation)
    if field == "tag":
        return tuple((field, column) for column in several)
    return ((field, SEVERAL[field].join(several)),) if several else ()
