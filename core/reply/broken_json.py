"""A reader that repairs broken JSON while it reads."""

import json
import re

DEEPEST = 60
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NOT_A_NUMBER = re.compile(r"[+-]?(?:NaN|Infinity|inf)\b", re.IGNORECASE)
_BARE = re.compile(r"[A-Za-z_$\u00c0-\uffff][\w$.\-]*")
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*|\.\.\.|\u2026)*", re.DOTALL)
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u201d": "\u201d"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/"}
_NEXT_KEY = re.compile(r"\s*,\s*(?:[\"'\u201c]|[A-Za-z_]\w*[\"'\u201d]?\s*:)")
# A name with its colon, after a comma too many, another separator or none.
_NAMED_NEXT = re.compile(r"\s*(?:[,;]\s*)*[\"'\u201c][^\"'\u201d\n]{1,60}[\"'\u201d]\s*:")
_CUT_LIST = re.compile(r"\s*,\s*(?:\.\.\.|\u2026)\s*[}\]]")
# What stands at a number without a blank makes a text of it: '95%', '12.5s', '00:12'.
_STUCK = re.compile(r"(?!//|/\*|#)[^\s,;}\])\"']")
_ENDS = re.compile(r"\s*(?:[}\]]|\Z|//|/\*)")


class BrokenError(ValueError):
    """The text cannot be read as JSON from here.

    Attributes:
        steps: how many characters were read before that showed.
    """

    steps = 0


class Reader:
    """Reads one value from a position on, and repairs what is broken."""

    def __init__(self, text: str, position: int):
        """Begin at a position of a text."""
        self.text = text
        self.place = position
        self.notes: list[str] = []

    def value(self, depth: int = 0) -> object:
        """Read the value at `place` and move behind it; `notes` say what was repaired.

        Raises:
            BrokenError: if there is none, or it is nested too deeply.
        """
        if depth > DEEPEST:
            raise BrokenError(f"nested deeper than {DEEPEST} levels")
        self._blanks()
        character = self._peek()
        if character == "{":
            return self._read_object(depth)
        if character in ("[", "("):
            return self._read_list(depth)
        if character in _QUOTES:
            return self._string(of_key=False)
        return self._bare()

    def _peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def _blanks(self) -> None:
        match = _SPACE.match(self.text, self.place)
        if match and match.end() > self.place:
            if match[0].strip():
                self._note("a comment")
            self.place = match.end()

    def _note(self, what: str) -> None:
        self.notes.append(what)

    def _read_object(self, depth: int) -> dict[str, object]:
        fields: dict[str, object] = {}
        self.place += 1
        while True:
            self._separators("}")
            character = self._peek()
            if character == "":
                self._note("cut off at the end")
                return fields
            if character in ("}", "]"):
                self.place += 1
                if character == "]":
                    self._note("a wrong closing bracket")
                return fields
            name = self._key()
            self._blanks()
            if self._peek() not in (":", "="):
                if self._peek() == "":
                    self._note("cut off at the end")
                    return fields
                raise BrokenError(f"no colon after {name!r} at character {self.place}")
            if self._peek() == "=":
                self._note("an equals sign for a colon")
            self.place += 1
            self._blanks()
            if self._peek() == "":
                self._note("cut off at the end")
                return fields
            if self._peek() in (",", "}"):
                self._note(f"no value for {name!r}")
                fields[name] = None
                continue
            if name in fields:
                self._note(f"{name!r} stands there twice; the last counts")
            fields[name] = self.value(depth + 1)

    def _read_list(self, depth: int) -> list[object]:
        items: list[object] = []
        closing = "]" if self._peek() == "[" else ")"
        if closing == ")":
            self._note("a Python tuple")
        self.place += 1
        while True:
            self._separators(closing)
            character = self._peek()
            if character == "":
                self._note("cut off at the end")
                return items
            if character in (closing, "}"):
                if character == closing:
                    self.place += 1
                else:
                    self._note("a list that is not closed")
                return items
            items.append(self.value(depth + 1))

    def _separators(self, closing: str) -> None:
        """Move past commas; repair a missing or doubled one."""
        self._blanks()
        commas = 0
        while self._peek() in (",", ";", "\uff0c"):
            commas += 1
            if self._peek() != ",":
                self._note(f"{self._peek()} for a comma")
            self.place += 1
            self._blanks()
        if commas > 1 or (commas and self._peek() in (closing, "")):
            self._note("a comma too many")
        previous = self.text[: self.place].rstrip()[-1:]
        if (
            not commas
            and previous not in ("{", "[", "(")
            and self._peek() not in (closing, "", "}", "]")
        ):
            self._note("a comma lacking")

    def _key(self) -> str:
        if self._peek() in _QUOTES:
            return self._string(of_key=True)
        match = _BARE.match(self.text, self.place) or _NUMBER.match(self.text, self.place)
        if match is None:
            raise BrokenError(
                f"no name at character {self.place}: {self.text[self.place : self.place + 20]!r}"
            )
        self.place = match.end()
        self._note("a name without quotes")
        return match[0]

    def _bare(self) -> object:
        odd = _NOT_A_NUMBER.match(self.text, self.place)
        if odd:
            self.place = odd.end()
            self._note(f"{odd[0]} became null")
            return None
        number = _NUMBER.match(self.text, self.place)
        if number and not _STUCK.match(self.text, number.end()):
            self.place = number.end()
            return self._number(number[0])
        match = number or _BARE.match(self.text, self.place)
        if match is None:
            raise BrokenError(
                f"no value at character {self.place}: {self.text[self.place : self.place + 20]!r}"
            )
        word = match[0].lower()
        if word in _WORDS:
            self.place = match.end()
            if match[0] not in ("true", "false", "null"):
                self._note(f"{match[0]} in place of JSON's own word")
            return _WORDS[word]
        unquoted = re.compile(r"[^,}\]\n\"]*").match(self.text, self.place)
        self.place = unquoted.end() if unquoted else match.end()
        self._note("text without quotes")
        return unquoted[0].strip() if unquoted else match[0]

    def _number(self, written: str) -> object:
        try:
            return json.loads(written)
        except ValueError:
            self._note("a number in another notation")
            return float(written) if not written.lstrip("+-").isdigit() else int(written)

    def _string(self, *, of_key: bool) -> str:
        quote = _QUOTES[self._peek()]
        if quote != '"':
            self._note("other quotes than JSON's")
        self.place += 1
        parts: list[str] = []
        while True:
            character = self._peek()
            if character == "":
                self._note("cut off at the end")
                return "".join(parts)
            if character == "\\":
                parts.append(self._escape())
                continue
            if character == quote and self._closes(of_key=of_key):
                self.place += 1
                return "".join(parts)
            if character == quote:
                self._note("a quote inside a string")
            elif character < " ":
                self._note("a raw line end or tab inside a string")
            parts.append(character)
            self.place += 1

    def _closes(self, *, of_key: bool) -> bool:
        """Whether a quote ends its string, judged by what follows."""
        after = self.place + 1
        if of_key:
            return re.compile(r"\s*[:=]").match(self.text, after) is not None
        patterns = (_ENDS, _NEXT_KEY, _NAMED_NEXT, _CUT_LIST)
        if any(pattern.match(self.text, after) for pattern in patterns):
            return True
        if re.compile(r"\s*,\s*(?:[}\]\[{(\d-]|true|false|null|None|True|False|\Z|//|/\*)").match(
            self.text, after
        ):
            return True
        # Without a comma the next line begins a new name.
        return (
            re.compile(r"\s*\n\s*[\"'\u201c][^\"'\n]*[\"'\u201d]\s*[:,\]]").match(self.text, after)
            is not None
        )

    def _escape(self) -> str:
        after = self.text[self.place + 1 : self.place + 2]
        if after == "u":
            digits = self.text[self.place + 2 : self.place + 6]
            if re.fullmatch(r"[0-9a-fA-F]{4}", digits):
                self.place += 6
                return self._surrogates(int(digits, 16))
        self.place += 2
        if after in _ESCAPES:
            return _ESCAPES[after]
        if after in ('"', "'", "\\"):
            return after
        self._note("an unknown escape kept as it stands")
        return "\\" + after

    def _surrogates(self, code: int) -> str:
        """A character, joined with the second half that follows where it is the first half."""
        match = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.text, self.place)
        if 0xD800 <= code < 0xDC00 and match:
            self.place = match.end()
            return chr(0x10000 + ((code - 0xD800) << 10) + int(match[1], 16) - 0xDC00)
        if 0xD800 <= code < 0xE000:
            self._note("half a character left out")
            return ""
        return chr(code)
