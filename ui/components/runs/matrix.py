"""The leaderboard as HTML: a row a model, a column a condition; every text is escaped."""

from collections.abc import Sequence
from html import escape

from annotations.condition import shown_first
from annotations.scoring.human_accuracy import Baseline
from annotations.scoring.leaderboard import Line
from annotations.scoring.prediction_columns import READ
from core.number_text import percent_text
from ui.components.runs.words import interval, share_words
from ui.theme import Palette


def style(palette: Palette) -> str:
    """The style sheet of the table, in the colours of the current theme."""
    return f"""<style>
.rushes-matrix {{ overflow-x: auto; margin-top: 0.9rem; }}
.rushes-matrix table {{ border-collapse: collapse; width: 100%; }}
.rushes-matrix td:not(:first-child) {{ font-variant-numeric: tabular-nums; }}
.rushes-matrix th {{ text-align: left; font-weight: 600; font-size: 0.85rem;
  color: {palette.muted}; padding: 0.25rem 0.6rem; border-bottom: 1px solid {palette.border};
  white-space: nowrap; }}
.rushes-matrix td {{ padding: 0.28rem 0.6rem; border-bottom: 1px solid {palette.border};
  line-height: 1.3; vertical-align: top; }}
.rushes-matrix tr > :first-child {{ position: sticky; left: 0; background: {palette.background};
  max-width: 21rem; min-width: 9rem; white-space: normal; color: {palette.text};
  font-size: 0.95rem; font-weight: 500; }}
.rushes-matrix thead tr > :first-child {{ color: {palette.muted}; font-size: 0.85rem; }}
.rushes-matrix b {{ font-weight: 650; font-size: 1.05rem; }}
.rushes-matrix small {{ white-space: nowrap; color: {palette.muted}; font-size: 0.8rem; }}
.rushes-matrix td[style] small, .rushes-matrix .rushes-part {{ color: inherit; }}
.rushes-matrix .rushes-part {{ text-decoration: underline dotted; text-underline-offset: 2px; }}
</style>"""


def matrix(lines: Sequence[Line], baselines: Sequence[Baseline], palette: Palette) -> str:
    """The table: best models first, by what they reach at most; people, then baselines below."""
    conditions = sorted({line.entry.condition for line in lines}, key=shown_first)
    cells = {(line.entry.model, line.entry.condition): line for line in lines}
    models = sorted(
        {line.entry.model for line in lines if line.entry.run is not None},
        key=lambda model: (-_best(model, lines), model),
    )
    people = dict.fromkeys(line.entry.model for line in lines if line.entry.run is None)
    order = [*models, *sorted(people)]
    head = "".join(f"<th>{escape(_sentence(condition))}</th>" for condition in conditions)
    body = "".join(
        f"<tr><td>{escape(model)}</td>"
        + "".join(_cell(cells.get((model, condition)), palette) for condition in conditions)
        + "</tr>"
        for model in order
    )
    text = " · ".join(
        f"{baseline.name} {share_words(baseline.estimate.value)}" for baseline in baselines
    )
    foot = f'<tr><td>Without looking</td><td colspan="{len(conditions)}">{escape(text)}</td></tr>'
    return (
        f'<div class="rushes-matrix"><table><thead><tr><th>Model</th>{head}</tr></thead>'
        f"<tbody>{body}{foot}</tbody></table></div>"
    )


def _best(model: str, lines: Sequence[Line]) -> float:
    return max((x.accuracy.value or 0.0 for x in lines if x.entry.model == model), default=0.0)


def _cell(line: Line | None, palette: Palette) -> str:
    if line is None:
        return "<td><small>–</small></td>"
    estimate = line.accuracy
    if estimate.value is None:
        failed = f", {line.counts.failed:,} failed" if line.counts.failed else ""
        return f"<td><small>{escape(estimate.reason + failed)}</small></td>"
    colour = palette.series[1]
    strength = round(6 + 30 * estimate.value)
    return (
        f'<td style="background:color-mix(in srgb, {colour} {strength}%, transparent)"'
        f' title="{escape(_title(line), quote=True)}">'
        f"<b>{100 * estimate.value:.1f}</b> <small>{escape(interval(estimate))}</small><br>"
        f"{_counts(line)}</td>"
    )


def _counts(line: Line) -> str:
    """How many questions were answered, and the share of replies that chose nothing."""
    counts = line.counts
    answered = f"{counts.answered:,} of {counts.asked:,}"
    if counts.partial:
        answered = f'<span class="rushes-part">{answered}</span>'
    total = sum(counts.states)
    nothing = total - counts.states[READ]
    if not nothing:
        return f"<small>{answered}</small>"
    # Two parts, between which a narrow cell breaks.
    return f"<small>{answered},</small> <small>{percent_text(nothing / total, 0)} no choice</small>"


def _title(line: Line) -> str:
    counts = line.counts
    parts = [f"{line.accuracy.n:,} answers to {line.questions:,} questions"]
    names = ("unread", "refused", "several options", "empty")
    parts += [
        f"{number:,} {name}"
        for number, name in zip(counts.states[1:], names, strict=True)
        if number
    ]
    parts += [f"{counts.failed:,} failed"] if counts.failed else []
    parts += [f"{number:,} {why}" for why, number in counts.excluded]
    return ", ".join(parts)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
