"""Headline numbers as small cards of HTML; every text is escaped."""

from collections.abc import Sequence
from html import escape

from annotations.scoring.human_accuracy import Baseline, Difference, Row
from annotations.scoring.score_coverage import Progress
from core.number_text import percent_text, points_text
from core.statistics.metric import Estimate
from ui.theme import Palette


def style(palette: Palette) -> str:
    """The style sheet of the cards, in the colours of the current theme."""
    return f"""<style>
.rushes-cards {{ display: grid; gap: 0.75rem;
  grid-template-columns: repeat(auto-fit, minmax(15.5rem, 1fr)); }}
.rushes-card {{ border: 1px solid {palette.border}; border-radius: 0.5rem; padding: 0.8rem 1rem; }}
.rushes-card h4 {{ all: unset; display: block; font-weight: 600; font-size: 0.95rem; }}
.rushes-value {{ font-size: 2rem; line-height: 1.2; font-weight: 650;
  font-variant-numeric: tabular-nums; }}
.rushes-beside {{ font-size: 0.95rem; font-weight: 400; color: {palette.muted}; }}
.rushes-small {{ font-size: 0.85rem; color: {palette.muted}; }}
.rushes-track {{ position: relative; height: 0.9rem; margin: 0.45rem 0 0.5rem; }}
.rushes-track i {{ position: absolute; display: block; }}
.rushes-done {{ height: 3px; margin: 0.5rem 0 0.15rem; background: {palette.border}; }}
.rushes-done i {{ display: block; height: 100%; background: {palette.muted}; }}
.rushes-line {{ display: flex; justify-content: space-between; margin-top: 0.5rem; }}
.rushes-line b {{ font-variant-numeric: tabular-nums; }}
</style>"""


def cards(*texts: str) -> str:
    """Cards beside each other, as many in a row as fit."""
    return f'<div class="rushes-cards">{"".join(texts)}</div>'


def accuracy_card(row: Row, progress: Progress | None, colour: str, palette: Palette) -> str:
    """Accuracy under one condition: value, interval, both on a track from 0 to 100 %, counts."""
    estimate = row.accuracy
    if estimate.value is None:
        given = progress.answers if progress and not estimate.n else 0
        # Below it stands how many were given: such as answers in people's own words.
        reason = "none of the answers is scored" if given else estimate.reason
        value = f'<span class="rushes-beside">{escape(reason)}</span>'
    else:
        value = (
            f"{percent_text(estimate.value)} "
            f"<span class='rushes-beside'>{_interval(estimate)}</span>"
        )
    counts = (
        f"{_count(estimate.n, 'answer')} to {_count(row.questions, 'question')},"
        f" {_count(row.videos, 'video')}"
        if estimate.n
        else "&nbsp;"
    )
    return _card(
        _sentence(row.condition),
        _value(value),
        _track(row, colour, palette),
        f'<div class="rushes-small">{counts}</div>',
        _done(progress),
    )


def baseline_card(baselines: list[Baseline]) -> str:
    """The baselines over the same questions."""
    lines = [
        f'<div class="rushes-line"><span>{escape(baseline.name)}</span>'
        f"<b>{percent_text(baseline.estimate.value)}</b></div>"
        for baseline in baselines
    ]
    below = f"over the {_count(baselines[0].estimate.n, 'question')} answered"
    return _card(
        "Without looking",
        *lines,
        f'<div class="rushes-small" style="margin-top:0.5rem">{below}</div>',
    )


def difference_card(difference: Difference) -> str:
    """The paired difference of two conditions, in percentage points, with its interval."""
    estimate = difference.estimate
    lines = [f"paired over {_count(difference.questions, 'question')} answered under both"]
    low, high = estimate.exact or (estimate.low, estimate.high)
    if low is not None and high is not None:
        exact = ", exact" if estimate.exact else ""
        lines.insert(0, f"95 % interval {points_text(low)} to {points_text(high)}{exact}")
    elif estimate.value is not None:
        lines.insert(0, estimate.reason)
    shown = (
        f'<span class="rushes-beside">{escape(estimate.reason)}</span>'
        if estimate.value is None
        else f'{points_text(estimate.value)} <span class="rushes-beside">points</span>'
    )
    return _card(
        _sentence(f"{difference.first} − {difference.second}"),
        _value(shown),
        *(f'<div class="rushes-small">{escape(line)}</div>' for line in lines),
    )


def coefficient_card(name: str, scale: str, estimate: Estimate, meaning: str) -> str:
    """A coefficient of agreement with its interval, or why it has none, and what it says."""
    if estimate.value is None:
        shown = f'<span class="rushes-beside">{escape(estimate.reason)}</span>'
    else:
        low, high = estimate.bounds
        interval = (
            f"{_signed(low)} to {_signed(high)}" if low is not None and high is not None else ""
        )
        shown = f'{_signed(estimate.value)} <span class="rushes-beside">{interval}</span>'
    note = estimate.reason if estimate.value is not None else ""
    lines = [f"{_count(estimate.n, 'shared item')}, {scale}", note, meaning]
    return _card(
        name,
        _value(shown),
        *(f'<div class="rushes-small">{escape(line)}</div>' for line in lines if line),
    )


def number_card(title: str, value: str, beside: str = "", lines: Sequence[str] = ()) -> str:
    """A headline number with what stands beside it and lines below; all texts are escaped."""
    return _card(
        title,
        _value(f'{escape(value)} <span class="rushes-beside">{escape(beside)}</span>'),
        *(f'<div class="rushes-small">{escape(line)}</div>' for line in lines),
    )


def _signed(value: float) -> str:
    return f"{value + 0.0:.3f}".replace("-", "−")


def _card(title: str, *parts: str) -> str:
    return f'<div class="rushes-card"><h4>{escape(title)}</h4>{"".join(parts)}</div>'


def _value(shown: str) -> str:
    return f'<div class="rushes-value">{shown}</div>'


def _interval(estimate: Estimate) -> str:
    if estimate.exact:
        return f"{100 * estimate.exact[0]:.1f} to {100 * estimate.exact[1]:.1f}, exact"
    if estimate.low is None or estimate.high is None:
        return escape(estimate.reason)
    return f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}"


def _track(row: Row, colour: str, palette: Palette) -> str:
    """A line from 0 to 100 % with the interval, the value, and the baselines as ticks."""
    estimate = row.accuracy
    parts = [_mark(0, 100, "calc(50% - 1px)", "2px", palette.border)]
    for share in (row.random_guess, row.frequent_choice):
        if share is not None:
            parts.append(_mark(100 * share, 0.4, "10%", "80%", palette.muted))
    low, high = estimate.exact or (estimate.low, estimate.high)
    if low is not None and high is not None:
        parts.append(_mark(100 * low, 100 * (high - low), "calc(50% - 2px)", "4px", colour, 0.45))
    if estimate.value is not None:
        parts.append(
            f'<i style="left:calc({100 * estimate.value:.2f}% - 0.35rem);top:calc(50% - 0.35rem);'
            f'width:0.7rem;height:0.7rem;border-radius:50%;background:{colour}"></i>'
        )
    return f'<div class="rushes-track">{"".join(parts)}</div>'


def _mark(
    offset: float, width: float, top: str, height: str, colour: str, opacity: float = 1.0
) -> str:
    return (
        f'<i style="left:{offset:.2f}%;width:{width:.2f}%;top:{top};height:{height};'
        f'background:{colour};opacity:{opacity};border-radius:2px"></i>'
    )


def _done(progress: Progress | None) -> str:
    if progress is None or not progress.wanted:
        return ""
    share = min(1.0, progress.answers / progress.wanted)
    return (
        f'<div class="rushes-done"><i style="width:{100 * share:.1f}%"></i></div>'
        f'<div class="rushes-small">{progress.answers:,} of {progress.wanted:,} answers given</div>'
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'s'[: number != 1]}"
