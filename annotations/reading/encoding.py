"""Which encoding a text file is in, told from its bytes."""

import codecs
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from annotations.reading.records import Problem
from core.refusal import Refusal

_BOMS = (  # the longer first: UTF-32 LE begins as UTF-16 LE does
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BLOCK = 1 << 20
# The commonest characters of Chinese texts, those that both ways of writing share first.
_SHARED = (
    "的一是不在人有我他中大和地到以要就出可也你生能而子那得下自年里用道行所然家事成方多去法如都同"
)
_SIMPLIFIED = "了这个们来上为国说时会对于着过发后作种经么学现当没动面起看还进样开从间问头长视"
_TRADITIONAL = "了這個們來上為國說時會對於著過發後作種經麼學現當沒動面起看還進樣開從間問頭長視"
_HANGUL = "이가은는을를에의로다고하도지서나만와과니까요무엇어디사람시일있없것"
# What is common in texts of the script, and rare where bytes are read in another's encoding.
_SCRIPTS = {
    "shift_jis": re.compile("[\u3041-\u3096\u30a1-\u30fa]"),
    "euc_jp": re.compile("[\u3041-\u3096\u30a1-\u30fa]"),
    "euc_kr": re.compile(f"[{_HANGUL}]"),
    "gb18030": re.compile(f"[{_SHARED}{_SIMPLIFIED}]"),
    "big5": re.compile(f"[{_SHARED}{_TRADITIONAL}]"),
    "cp1251": re.compile("[\u0430-\u044f]"),
}
# What files of other kinds begin with that carry the name of a text file, and what to do with them.
_SIGNATURES = {
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "Save it as CSV (UTF-8)."),
    b"PK\x03\x04": (
        "a workbook or a zip archive", "Save a workbook as CSV (UTF-8); unpack an archive."
    ),
    b"\x1f\x8b": ("compressed by gzip", "Unpack it and import what is inside."),
    b"PAR1": ("a Parquet file", "Let its name end in .parquet."),
    b"SQLite format 3\0": ("an SQLite database", "Write its table to a CSV file."),
    b"%PDF-": ("a PDF", "Save the table that it shows as CSV (UTF-8)."),
}  # fmt: skip
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_HIGH = re.compile(rb"[\x80-\xff]+")
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")  # in Windows-1252


@dataclass(frozen=True)
class Encoding:
    """How to open a text file.

    Attributes:
        name: the codec.
        problem: what a person should know about it, or None.
    """

    name: str
    problem: Problem | None = None

    @contextmanager
    def open(self, path: Path) -> Generator[TextIO]:
        """The file as text with its line ends as they are.

        Bytes that are no UTF-8 become lone surrogates, so that they cost their own rows only.
        """
        with path.open(encoding=self.name, errors="surrogateescape", newline="") as file:
            yield file


def find_encoding(path: Path, encoding: str = "") -> Encoding:
    """The encoding of a file: as given, by its byte order mark, UTF-8, or Windows-1252.

    A file is Windows-1252 if it has bytes beyond ASCII and none of them makes valid UTF-8.

    Raises:
        ValueError: if the given encoding is unknown or does not fit, or the file is no text.
    """
    if encoding:
        return _named_encoding(path, encoding)
    with path.open("rb") as file:
        start = file.read(_BLOCK)
    _refuse_known(path.name, start)
    for mark, name in _BOMS:
        if start.startswith(mark):
            return _checked(path, name)
    if b"\0" in start[:4096]:
        return _without_mark(path, start[:4096])
    return _eight_bits(path)


def _named_encoding(path: Path, encoding: str) -> Encoding:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # codecs that are none of text, such as zip, are unknown here too
    except (LookupError, UnicodeError) as error:
        raise Refusal(
            f"There is no encoding {encoding!r}. "
            "Allowed: utf-8, utf-16, cp1252, gb18030, shift_jis..."
        ) from error
    return _checked(path, "utf-8-sig" if name == "utf-8" else name)


def _checked(path: Path, name: str) -> Encoding:
    if name.startswith("utf-8"):
        return Encoding(name)
    try:
        with path.open(encoding=name, newline="") as file:
            while file.read(_BLOCK):
                pass
    except UnicodeError as error:
        raise Refusal(
            f"{path.name} is not readable as {name}: {error}. Save it as UTF-8 and import again."
        ) from error
    return Encoding(name)


def _without_mark(path: Path, start: bytes) -> Encoding:
    even, odd = start[0::2].count(0), start[1::2].count(0)
    if odd > 0.3 * len(start) / 2 and odd > 10 * even:
        return _checked(path, "utf-16-le")
    if even > 0.3 * len(start) / 2 and even > 10 * odd:
        return _checked(path, "utf-16-be")
    if len(_CONTROLS.findall(start)) <= max(3, len(start) // 100):
        return _eight_bits(path)  # single zero bytes cost their own rows
    raise Refusal(
        f"{path.name} is not a text file (it holds zero bytes). "
        "Allowed: CSV, TSV, JSON, JSONL or xlsx; save another spreadsheet as CSV (UTF-8)."
    )


def _refuse_known(name: str, start: bytes) -> None:
    for signature, (kind, todo) in _SIGNATURES.items():
        if start.startswith(signature):
            raise Refusal(f"{name} is not a text file but {kind}. {todo}")


def _fitting(path: Path) -> list[str]:
    """Encodings of other scripts in which a file can be read, the likeliest first.

    Characters of the script that an encoding is used for speak for it: Japanese text holds kana,
    Korean text Hangul, Chinese text the characters that are common in its way of writing.
    """
    with path.open("rb") as file:
        content = file.read(_BLOCK)
    content = content[: content.rfind(b"\n") + 1] or content
    likeness: dict[str, float] = {}
    for name, script in _SCRIPTS.items():
        try:
            text = content.decode(name)
        except UnicodeDecodeError:
            continue
        letters = [character for character in text if character > "\x7f"]
        likeness[name] = len(script.findall(text)) / max(1, len(letters))
    best = max(likeness.values(), default=0.0)
    fitting = [name for name, share in likeness.items() if share >= best / 2]
    return sorted(fitting, key=lambda name: -likeness[name])


def _eight_bits(path: Path) -> Encoding:
    """Return UTF-8, or Windows-1252 where the bytes look like that.

    In Windows-1252 text letters beyond ASCII stand alone among others; where most stand side by
    side it is another script's encoding, which only a person can name.
    """
    valid, bad_line, high, paired, defined = 0, 0, 0, 0, True
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.isascii():
                continue
            try:
                line.decode("utf-8")
                valid += 1
            except UnicodeDecodeError:
                bad_line = bad_line or number
                runs = [len(run) for run in _HIGH.findall(line)]
                high += sum(runs)
                paired += sum(length for length in runs if length > 1)
                defined = defined and not _UNDEFINED.search(line)
    if not bad_line or valid:
        return Encoding("utf-8")
    if not defined or (high >= 4 and paired * 2 > high):
        fitting = _fitting(path)
        hint = f" Its bytes make sense in {', '.join(fitting)}." if fitting else ""
        raise Refusal(
            f"{path.name} is in an encoding that cannot be told: line {bad_line} is neither UTF-8 "
            f"nor like Windows-1252.{hint} Save it as UTF-8, or name the encoding: --encoding "
            f"{fitting[0] if fitting else 'NAME'}"
        )
    return Encoding(
        "cp1252",
        Problem(
            "warning",
            "read as Windows-1252 because it is not UTF-8",
            path.name,
            f"line {bad_line}",
            todo="If letters look wrong in the first questions below, name the encoding: "
            "--encoding NAME.",
        ),
    )
