"""The life of a benchmark as one picture: stages with counts, each a link to its list."""

import math
from collections.abc import Sequence
from html import escape

from annotations.funnel.stages import Stage
from core.number_text import percent_text
from ui.theme import Palette

IN_A_ROW = 7  # as many as can be read beside each other; more stand in rows of equal length


def funnel_html(stages: Sequence[Stage], palette: Palette) -> str:
    """The stages from left to right; a bar below each shows the share that it keeps."""
    columns = math.ceil(len(stages) / math.ceil(len(stages) / IN_A_ROW)) if stages else 1
    steps = "".join(_step(stage) for stage in stages)
    return f"{_style(palette, columns)}<nav class='funnel' aria-label='Stages'>{steps}</nav>"


def _step(stage: Stage) -> str:
    share = stage.share
    unit = stage.unit if stage.count == 1 else f"{stage.unit}s"
    kept = "" if share is None else f"{percent_text(share, 0)} of {stage.of:,} {stage.base}"
    bar = ""  # nothing could be lost yet: an empty bar would say that all was
    if share is not None:
        bar = f"<span class='bar'><i style='width: {100 * min(1.0, share):.1f}%'></i></span>"
    return (
        f"<a href='{escape(stage.link, quote=True)}' target='_self'>"
        f"<span class='name'>{escape(stage.name)}</span>"
        f"<span class='count'>{stage.count:,}</span> <span class='unit'>{escape(unit)}</span>"
        f"{bar}<span class='kept'>{kept}</span>"
        f"<span class='waits'>{escape(stage.waits)}</span></a>"
    )


def _style(palette: Palette, columns: int) -> str:
    return f"""<style>
.funnel {{ display: grid; grid-template-columns: repeat({columns}, minmax(0, 16rem)); gap: 0.5rem;
  margin: 0.25rem 0 1rem; }}
@media (max-width: 900px) {{
  .funnel {{ grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }}
}}
.funnel a {{ min-width: 0; padding: 0.5rem 0.6rem; color: inherit;
  border: 1px solid {palette.border}; border-radius: 0.5rem; text-decoration: none; }}
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
