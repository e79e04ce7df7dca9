"""The life of a benchmark as one picture: stages with counts, each a link to its list."""

from collections.abc import Sequence
from html import escape

from annotations.funnel.stages import Stage
from ui.theme import Palette


def funnel_html(stages: Sequence[Stage], palette: Palette) -> str:
    """The stages from left to right; a bar below each shows the share that it keeps."""
    return f"{_style(palette)}<nav class='funnel' aria-label='Stages'>{_steps(stages)}</nav>"


def _steps(stages: Sequence[Stage]) -> str:
    return "".join(_step(stage) for stage in stages)


def _step(stage: Stage) -> str:
    share = stage.share
    unit = stage.unit if stage.count == 1 else f"{stage.unit}s"
    kept = "" if share is None else f"{100 * share:.0f} % of {stage.of:,}"
    bar = "" if share is None else f"<i style='width: {100 * min(1.0, share):.1f}%'></i>"
    return (
        f"<a href='{escape(stage.link, quote=True)}' target='_self'>"
        f"<span class='name'>{escape(stage.name)}</span>"
        f"<span class='count'>{stage.count:,}</span> <span class='unit'>{escape(unit)}</span>"
        f"<span class='bar'>{bar}</span><span class='kept'>{kept or '&nbsp;'}</span>"
        f"<span class='waits'>{escape(stage.waits)}</span></a>"
    )


def _style(palette: Palette) -> str:
    return f"""<style>
.funnel {{ display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.25rem 0 1rem; }}
.funnel a {{ flex: 1 1 9rem; max-width: 14rem; min-width: 8.5rem; padding: 0.5rem 0.75rem;
  border: 1px solid {palette.border}; border-radius: 0.5rem; color: inherit;
  text-decoration: none; }}
.funnel a:hover, .funnel a:focus-visible {{ border-color: {palette.muted}; }}
.funnel .name {{ display: block; font-size: 0.85rem; font-weight: 600; }}
.funnel .count {{ font-size: 1.35rem; font-weight: 650; font-variant-numeric: tabular-nums; }}
.funnel .unit, .funnel .kept, .funnel .waits {{ font-size: 0.8rem; color: {palette.muted}; }}
.funnel .kept, .funnel .waits {{ display: block; }}
.funnel .bar {{ display: block; height: 4px; margin: 0.3rem 0 0.15rem; border-radius: 2px;
  background: {palette.border}; }}
.funnel .bar i {{ display: block; height: 100%; border-radius: 2px;
  background: {palette.series[1]}; }}
</style>"""
