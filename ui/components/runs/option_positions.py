"""Which option is chosen instead of which, by position: everybody at once, then one in detail."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from annotations.shortcut.option_positions import (
    CERTAIN,
    LAST,
    OptionPositions,
    PositionShare,
    label,
    option_positions,
)
from core.number_text import percent_text
from ui.components.chart_parts import Figure, axis_of, base_layout, heat_map_of
from ui.components.downloads import take_table
from ui.components.runs.asked import Asked, draw_chart
from ui.components.runs.matrix import style
from ui.components.runs.words import percent, signed, signed_interval
from ui.components.tables import show_table
from ui.components.words import plain
from ui.theme import Palette

_ROW_PX = 46
_LEAST_P = 0.0001
_FULL_COLOUR = 0.3  # a difference of 30 points and more


def draw(asked: Asked) -> None:
    """Draw what everybody prefers, and key's position by chosen position of whom one asks for."""
    everybody = option_positions(asked.snapshot, asked.which, asked.resample)
    if not everybody:
        st.info("Nobody has chosen an option of these questions yet.")
        return
    st.html(style(asked.palette) + preferences(everybody, asked.palette))
    st.caption(
        "How much more often an option is chosen at a position than the key stands there, in"
        " percentage points; below it both shares of the same answers. Positions are those that"
        f" were shown. * chosen more often than right: p < {CERTAIN} in an exact test (McNemar),"
        " times the positions tested."
    )
    take_table("option positions", position_columns(everybody))
    by_name = {positions.entry.key: positions for positions in everybody}
    key = st.selectbox(
        "In detail", list(by_name), format_func=lambda key: by_name[key].entry.name,
        key="runs positions of",
    )  # fmt: skip
    _detail(by_name[key], asked)


def _detail(positions: OptionPositions, asked: Asked) -> None:
    st.caption(f":material/groups: {plain(positions.population)}.")
    map_at, shares_at = st.columns([2, 3], gap="large")
    with map_at:
        draw_chart(heat_map(positions, asked.palette), "runs positions map")
    with shares_at:
        hidden = {"Model", "Condition"}
        columns = position_columns([positions])
        show_table(
            {name: cells for name, cells in columns.items() if name not in hidden},
            formats={"Key %": "%.1f", "Chosen %": "%.1f"},
        )


def preferences(everybody: Sequence[OptionPositions], palette: Palette) -> str:
    """Everybody's differences as an HTML table: a row an entry, a column a position."""
    widest = max((positions.counts for positions in everybody), key=len)
    names = [label(position) for position in range(len(widest))]
    if any(share.position == LAST for positions in everybody for share in positions.shares):
        names.append(LAST)
    head = "".join(f"<th>{name.capitalize()}</th>" for name in names)
    body = ""
    for positions in everybody:
        share_at = {share.position: share for share in positions.shares}
        cells = "".join(_cell(share_at.get(name), positions.answers, palette) for name in names)
        body += f"<tr><td>{escape(positions.entry.name)}</td>{cells}</tr>"
    return (
        f'<div class="rushes-matrix"><table><thead><tr><th>Chosen minus key</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(share: PositionShare | None, answers: int, palette: Palette) -> str:
    if share is None or share.difference.value is None:
        return "<td><small>–</small></td>"
    difference = share.difference.value
    colour = palette.series[0 if difference > 0 else 1]
    strength = round(55 * min(1.0, abs(difference) / _FULL_COLOUR))
    mark = "*" if share.preferred else ""
    chosen, key = (100 * number / answers for number in (share.chosen, share.keys))
    title = f"{share.chosen:,} chosen, {share.keys:,} keys; {signed_interval(share.difference)}"
    return (
        f'<td style="background:color-mix(in srgb, {colour} {strength}%, transparent)"'
        f' title="{escape(title, quote=True)}"><b>{signed(difference)}{mark}</b><br>'
        f"<small>{chosen:.1f} − {key:.1f} %</small></td>"
    )


def heat_map(positions: OptionPositions, palette: Palette) -> Figure:
    """Counts of answers, a row the key's position, a column the chosen one, as a figure."""
    names = [label(position) for position in range(len(positions.counts))]
    of_key = [sum(row) for row in positions.counts]
    shares = [
        [count / total if total else 0.0 for count in row]
        for row, total in zip(positions.counts, of_key, strict=True)
    ]
    texts = [
        [
            f"{count:,}<br>{percent_text(share, 0)}" if count else "0"
            for count, share in zip(row, parts, strict=True)
        ]
        for row, parts in zip(positions.counts, shares, strict=True)
    ]
    return {
        "data": [
            heat_map_of(
                names, names, shares, texts, palette,
                most=1, hover="key at %{y}, chosen %{x}: %{text}",
            )
        ],
        "layout": {
            **base_layout(palette, _ROW_PX * len(names) + 90),
            "xaxis": {
                **axis_of(palette), "side": "top", "showgrid": False, "title": {"text": "Chosen"},
            },
            "yaxis": {
                **axis_of(palette), "autorange": "reversed", "showgrid": False,
                "title": {"text": "Key"},
            },
        },
    }  # fmt: skip


def position_columns(everybody: Sequence[OptionPositions]) -> dict[str, list[object]]:
    """A row for each position of each entry; shares in percent, differences in points."""
    columns: dict[str, list[object]] = {
        name: []
        for name in (
            "Model", "Condition", "Position", "Key", "Key %", "Chosen", "Chosen %", "Difference",
            "95 % interval", "p",
        )
    }  # fmt: skip
    for positions in everybody:
        for share in positions.shares:
            row = (
                positions.entry.model,
                positions.entry.condition,
                share.position,
                share.keys,
                percent(share.keys / positions.answers),
                share.chosen,
                percent(share.chosen / positions.answers),
                signed(share.difference.value),
                signed_interval(share.difference),
                f"{share.p_value:.4f}" if share.p_value >= _LEAST_P else f"< {_LEAST_P}",
            )
            for cells, cell in zip(columns.values(), row, strict=True):
                cells.append(cell)
    return columns
