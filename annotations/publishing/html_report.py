"""A report as one HTML file: tables and pictures, no script, nothing fetched, all texts inert."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from core.number_text import percent_text

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --faint: #5f676d; --line: #d7dbdf;
  --ground: #fff; --bar: #3b82c4 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --faint: #9ba1a6;
  --line: #3a3f42; --ground: #17191b; --bar: #6aa9e0 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground);
  margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
h1 { font-size: 1.7rem; margin-bottom: .2rem }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .4rem; border-top: 1px solid var(--line);
  padding-top: 1.2rem }
p { max-width: 46rem; overflow-wrap: anywhere }
.faint { color: var(--faint) }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums;
  margin: .6rem 0 }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; max-width: 26rem }
th { color: var(--faint); font-weight: 500 }
td.n { text-align: right; white-space: nowrap }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif }
svg text { fill: var(--ink) }
"""
MOST_ROWS = 2000


@dataclass(frozen=True)
class Bar:
    """One line of a picture: a share with its interval.

    Attributes:
        value: in [0, 1], or None if undefined.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass
class Section:
    """A part of the report.

    Attributes:
        notes: sentences above the table.
        columns: headings.
        rows: cells; numbers are set right.
        bars: a picture of shares, () for none.
    """

    title: str
    notes: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    bars: Sequence[Bar] = field(default=())


def html_report(title: str, notes: Sequence[str], sections: Sequence[Section]) -> str:
    """The report as a page that needs nothing but itself."""
    body = [f"<h1>{_inert(title)}</h1>"]
    body += [f'<p class="faint">{_inert(note)}</p>' for note in notes]
    for section in sections:
        body.append(_section(section))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
        "'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_inert(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [f"<h2>{_inert(section.title)}</h2>"]
    parts += [f"<p>{_inert(note)}</p>" for note in section.notes]
    if section.bars:
        parts.append(_picture(section.title, section.bars))
    if section.rows:
        parts.append(_table(section.columns, section.rows))
    return "\n".join(parts)


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{_inert(name)}</th>" for name in columns)
    lines = ["".join(map(_cell, row)) for row in rows[:MOST_ROWS]]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    more = len(rows) - MOST_ROWS
    note = f'<p class="faint">and {more:,} more rows</p>' if more > 0 else ""
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n'
        f"</tbody></table></div>{note}"
    )


def _cell(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"<td>{_inert('' if value is None else str(value))}</td>"
    text = f"{value:,}" if isinstance(value, int) else f"{round(value, 1) + 0.0:,.1f}"
    return f'<td class="n">{text}</td>'


def _picture(title: str, bars: Sequence[Bar]) -> str:
    """Shares from 0 to 100 % as bars, with their 95 % intervals."""
    left, width, row = 300, 420, 24
    height = row * len(bars) + 30
    parts = [
        f'<svg viewBox="0 0 {left + width + 90} {height}" width="{left + width + 90}" role="img" '
        f'aria-label="{_inert(title)}">'
    ]
    for share in (0, 25, 50, 75, 100):
        x = left + width * share / 100
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="0" y2="{height - 20}" stroke="var(--line)"/>'
            f'<text x="{x}" y="{height - 5}" text-anchor="middle">{share} %</text>'
        )
    for number, bar in enumerate(bars):
        y = number * row + 12
        name = bar.name if len(bar.name) <= 44 else bar.name[:43] + "\u2026"
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{_inert(name)}</text>')
        if bar.value is None:
            continue
        end = left + width * min(1.0, max(0.0, bar.value))
        parts.append(
            f'<rect x="{left}" y="{y - 6}" width="{end - left:.1f}" height="12" fill="var(--bar)" '
            'opacity="0.75"/>'
        )
        if bar.low is not None and bar.high is not None:
            low, high = (left + width * min(1.0, max(0.0, x)) for x in (bar.low, bar.high))
            parts.append(
                f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="var(--ink)"/>'
            )
        parts.append(f'<text x="{left + width + 8}" y="{y + 4}">{percent_text(bar.value)}</text>')
    return "\n".join([*parts, "</svg>"])


def _inert(text: str) -> str:
    """Text that shows as it is: no markup, no control characters, no turned reading direction."""
    shown = "".join(c for c in text if c.isprintable() or c in "\n\t" or c == "\u200d")
    return escape(shown, quote=True)
