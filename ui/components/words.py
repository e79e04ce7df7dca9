"""Words of people on a page: shown as they are, never as markup."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
# Markdown makes links of addresses even where they are escaped: an invisible joiner prevents it.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
_JOINER = "\N{WORD JOINER}"
_MARKUP = frozenset("\\`*_{}[]()#+-.!$:<>|~&=^")


def plain(text: str) -> str:
    """Markdown that shows exactly these words, line breaks as blanks."""
    joined = _ADDRESS.sub(_JOINER, whole(" ".join(text.split())))
    return "".join(f"\\{c}" if c in _MARKUP else c for c in joined)


def whole(text: str) -> str:
    """Return the text with U+FFFD for half a surrogate pair, which no page could be sent."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
