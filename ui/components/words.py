"""Words of people on a page: shown as they are, never as markup."""

import re

from core.stored_json import whole_text

# Markdown makes links of addresses even where they are escaped: an invisible joiner prevents it.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
_JOINER = "\N{WORD JOINER}"
_MARKUP = frozenset("\\`*_{}[]()#+-.!$:<>|~&=^")


def plain(text: str) -> str:
    """Markdown that shows exactly these words, line breaks as blanks."""
    joined = _ADDRESS.sub(_JOINER, whole_text(" ".join(text.split())))
    return "".join(f"\\{c}" if c in _MARKUP else c for c in joined)
