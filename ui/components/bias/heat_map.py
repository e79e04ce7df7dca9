"""The sixteen as a heat map with numbers, and what they are to be compared with."""

from typing import Any

from core.bias.representation import CONCEPTS
from ui.components.chart_parts import Figure, axis_of, base_layout, heat_map_of, plain
from ui.theme import Palette

COLUMNS = (
    ("middle", "Middle frame"),
    ("chosen", "Best frame, chosen\nwithout the answer"),
    ("best", "Best frame\n(knows the answer)"),
    ("average", "Average"),
    ("sequence", "Sequence"),
)
NAMES = {
    "objects+composition+activities": "Objects, places, activities",
    "objects": "Objects",
    "activities": "Activities",
    "verbs": "Verbs",
}
_ROW_PX = 52


def heat_map(
    cells: list[dict[str, Any]],
    chosen: list[dict[str, Any]],
    reference: dict[str, float],
    palette: Palette,
) -> Figure:
    """A figure with a row a concept and a column a time, and a row for each thing to compare with.

    Args:
        cells: of `rushes bias`: concept, time, value, low, high.
        chosen: the same by the frame that is chosen without knowing the answer.
        reference: shares by name: chance, the most frequent class, the full model.
        palette: colours of the current theme.
    """
    by_cell = {(cell["concept"], cell["time"]): cell for cell in cells}
    by_cell |= {(cell["concept"], "chosen"): cell for cell in chosen}
    columns = [(key, title) for key, title in COLUMNS if any(key == time for _, time in by_cell)]
    rows = [NAMES[concept] for concept in CONCEPTS] + list(reference)
    values = [[_value(by_cell.get((concept, key))) for key, _ in columns] for concept in CONCEPTS]
    values += [[100 * share for _ in columns] for share in reference.values()]
    texts = [[_text(by_cell.get((concept, key))) for key, _ in columns] for concept in CONCEPTS]
    texts += [[f"{100 * share:.1f}" for _ in columns] for share in reference.values()]
    return {
        "data": [
            heat_map_of(
                [plain(title).replace("\n", "<br>") for _, title in columns],
                [plain(row) for row in rows],
                values,
                texts,
                palette,
                most=100,
                hover="%{y}, %{x}: %{z:.1f} %",
            )
        ],
        "layout": {
            **base_layout(palette, _ROW_PX * len(rows) + 60),
            "xaxis": {
                **axis_of(palette),
                "side": "top",
                "showgrid": False,
                "tickangle": 0,
            },
            "yaxis": {**axis_of(palette), "autorange": "reversed", "showgrid": False},
        },
    }


def _value(cell: dict[str, Any] | None) -> float | None:
    return None if cell is None or cell["value"] is None else 100 * cell["value"]


def _text(cell: dict[str, Any] | None) -> str:
    if cell is None or cell["value"] is None:
        return "–"
    if cell["low"] is None:
        return f"{100 * cell['value']:.1f}"
    return f"{100 * cell['value']:.1f}<br>({100 * cell['low']:.1f} to {100 * cell['high']:.1f})"
