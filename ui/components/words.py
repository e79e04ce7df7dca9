"""Words of people on a page: shown as they are, never as markup."""

_MARKUP = frozenset("\\`*_{}[]()#+-.!$:<>|~&=^")


def plain(text: str) -> str:
    """Markdown that shows exactly these words, line breaks as blanks."""
    return "".join(f"\\{c}" if c in _MARKUP else c for c in " ".join(text.split()))
