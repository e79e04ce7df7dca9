"""The font of icons, cut to those that pages use: 20 kB instead of 375.

Run after a new icon came in: `python tests/icon_font.py`.
"""

import re
from pathlib import Path

import streamlit
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from ui.shell.stand_ins import ICONS, icon_font

ROOT = Path(__file__).resolve().parents[1]
ICON = re.compile(r":material/([a-z0-9_]+):")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"


def used() -> set[str]:
    """Names of icons in our own sources, and in Streamlit's, whose widgets have some too."""
    own = [path for folder in ("ui", "annotations") for path in (ROOT / folder).rglob("*.py")]
    whole = Path(streamlit.__file__).parent
    files = [*own, *whole.rglob("*.py"), *(whole / "static").rglob("*.js")]
    return {name for path in files for name in ICON.findall(path.read_text(errors="replace"))}


def glyphs(font: TTFont) -> dict[str, str]:
    """The glyph of each icon by its name: names are written as ligatures of their letters."""
    letters = {glyph: chr(code).lower() for code, glyph in font.getBestCmap().items()}
    found: dict[str, str] = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for part in lookup.SubTable:
            for begin, ligatures in getattr(part, "ExtSubTable", part).ligatures.items():
                for ligature in ligatures:
                    name = "".join(letters[glyph] for glyph in (begin, *ligature.Component))
                    found[name] = ligature.LigGlyph
    return found


def write() -> None:
    """Write the font again."""
    font = TTFont(icon_font())
    icons, letters = glyphs(font), font.getBestCmap()
    kept = {icons[name] for name in used() & icons.keys()} | {letters[ord(c)] for c in LETTERS}
    options = Options(layout_closure=False, layout_features=["*"], hinting=False)
    subsetter = Subsetter(options)
    subsetter.populate(glyphs=kept)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(ICONS)
    print(f"{ICONS.name}: {len(kept) - len(LETTERS)} icons, {ICONS.stat().st_size:,} bytes")


if __name__ == "__main__":
    write()
