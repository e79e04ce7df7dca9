"""How Rushes looks: one set of colours for light and dark, for Streamlit and for charts."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Palette:
    """The colours of one mode, as hex texts."""

    background: str
    surface: str
    text: str
    muted: str
    border: str
    primary: str
    link: str
    series: tuple[str, ...]


LIGHT = Palette(
    background="#FBF9F6",
    surface="#F1EDE6",
    text="#1F1D1A",
    muted="#5C5750",
    border="#DDD6CB",
    primary="#A93E1A",
    link="#9A3A1A",
    series=("#B8451F", "#2F6F8F", "#8A6D1B", "#5B7F3B", "#7A4E8A", "#5F6368", "#A63D6B", "#2C7A6E"),
)
DARK = Palette(
    background="#151412",
    surface="#201E1B",
    text="#EFEBE4",
    muted="#A19A8F",
    border="#3A3631",
    primary="#F0764A",
    link="#F59A78",
    series=("#F0764A", "#6DB3D6", "#D9B54A", "#9CC27A", "#C39AD6", "#B7BBC0", "#E88BB0", "#6FC4B5"),
)
# What Streamlit draws fainter than 4.5 : 1 (WCAG AA): captions, and white on the dark primary.
CONTRAST = f"""
<style>
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p {{
  color: light-dark(#65605A, #B3ACA1) !important; opacity: 1; }}
[data-testid="stBaseButton-primary"]:enabled, [data-testid="stBaseButton-primary"]:enabled p,
[data-testid="stBaseButton-primaryFormSubmit"]:enabled p {{
  color: light-dark(#FFFFFF, {DARK.background}); }}
/* One that cannot be pressed has no ground of its own: white on it could not be read. */
[data-testid^="stBaseButton-primary"]:disabled, [data-testid^="stBaseButton-primary"]:disabled p {{
  color: light-dark(#65605A, #B3ACA1); }}
[data-testid="stCode"] .token.variable {{ color: light-dark(#00617E, #4CC3E8); }}
/* Its cells could run as formulas in a spreadsheet; our own CSV buttons make them inert. */
[data-testid="stElementToolbarButton"]:has([aria-label="Download as CSV"]) {{ display: none; }}
[data-testid="stBaseButton-primary"] kbd {{ color: inherit; opacity: 1; }}
/* Who walks by Tab sees where they are in the menu, too. */
:is([data-testid="stTopNavLink"], [data-testid="stTopNavSection"],
  [data-testid="stTopNavDropdownLink"], [data-testid="stSidebarNavLink"]):focus-visible {{
  outline: 2px solid light-dark({LIGHT.primary}, {DARK.primary}); outline-offset: 1px; }}
/* Names that tell equal buttons apart: heard, not seen. */
:is([class*="st-key-open-"], [class*="st-key-csv-"], [class*="st-key-json-"]) button strong {{
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }}
/* What watches the colours and the connection (ui/components/theme_change.py, server_away.py) takes
no room, also not around it. */
:is(.st-key-theme-change, .st-key-server-away) {{ position: absolute; width: 0; height: 0; }}
/* On a telephone choices that stand in a row go on below, and numbers stand two in a row. */
@media (max-width: 640px) {{
  [data-testid="stButtonGroup"] > div {{ flex-wrap: wrap; max-width: 100%; }}
  [data-testid="stHorizontalBlock"] > [data-testid="stColumn"]:has([data-testid="stMetric"]) {{
    flex: 1 1 calc(50% - 1rem); min-width: calc(50% - 1rem); }}
  /* A chart of many columns is moved sideways: squeezed, its words would stand on each other. */
  [class*="st-key-wide-"] {{ overflow-x: auto; }}
  [class*="st-key-wide-"] > * {{ min-width: 880px; }}
}}
</style>
"""
FONT = "Inter"
# Each system's own, so that none is fetched: what comes after `monospace` is never reached.
CODE_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, Liberation Mono, monospace"
FONT_FILES = (
    ("inter-latin-wght-normal.woff2", "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02DC, U+2000-206F,"
     " U+20AC, U+2122, U+2190-2193, U+2212, U+2215, U+FEFF, U+FFFD"),
    ("inter-latin-ext-wght-normal.woff2", "U+0100-02BA, U+1E00-1E9F, U+1EF2-1EFF, U+2C60-2C7F"),
)  # fmt: skip


def streamlit_options(assets_url: str) -> dict[str, Any]:
    """The theme as Streamlit options.

    Args:
        assets_url: where the fonts are served, ending in '/'.
    """
    options: dict[str, Any] = {
        "theme.fontFaces": [
            {
                "family": FONT,
                "url": f"{assets_url}fonts/{name}",
                "weight": "100 900",
                "unicodeRange": characters,
            }
            for name, characters in FONT_FILES
        ],
        "theme.font": f"{FONT}, sans-serif",
        "theme.headingFont": f"{FONT}, sans-serif",
        "theme.codeFont": CODE_FONT,
        "theme.baseRadius": "0.5rem",
        "theme.baseFontSize": 15,
        "theme.headingFontSizes": ["1.75rem", "1.3rem", "1.1rem", "1rem", "0.95rem", "0.9rem"],
        "theme.headingFontWeights": [650, 600, 600, 600, 600, 600],
        "theme.paddingTop": "1.25rem",
        "theme.showWidgetBorder": True,
    }
    for mode, palette in (("light", LIGHT), ("dark", DARK)):
        options |= {
            f"theme.{mode}.backgroundColor": palette.background,
            f"theme.{mode}.secondaryBackgroundColor": palette.surface,
            f"theme.{mode}.textColor": palette.text,
            f"theme.{mode}.borderColor": palette.border,
            f"theme.{mode}.primaryColor": palette.primary,
            f"theme.{mode}.linkColor": palette.link,
            f"theme.{mode}.chartCategoricalColors": list(palette.series),
        }
    return options
