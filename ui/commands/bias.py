"""`rushes bias`: how much of a data set its objects, single frames and common sense solve."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from core.number_text import percent_text

NAME = "bias"
HELP = "show how much of a data set descriptions of its frames solve (UTD)"
_TIMES = ("middle", "best", "average", "sequence")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace, which descriptions, and the model that embeds texts."""
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--embeddings", default="", metavar="NAME",
        help="the text-embedding model (default: package:minilm)",
    )  # fmt: skip
    parser.add_argument(
        "--descriptions", default="", metavar="NAME", help="which (default: those begun last)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Measure, or take what was measured of the same data, and print it."""
    from annotations.bias.result import EMBEDDINGS, measured
    from annotations.workspace import Workspace
    from core.model import ModelError

    workspace = Workspace.open(arguments.workspace)
    try:
        model = arguments.embeddings or EMBEDDINGS
        result = measured(workspace, arguments.descriptions, model, say=progress)
    except ModelError as error:
        print(f"rushes: {error}", file=sys.stderr)
        return 1
    finally:
        workspace.close()
    if arguments.json:
        print(json.dumps(result.figures, ensure_ascii=False, indent=2))
    else:
        print("\n".join(lines(result.figures)))
    return 0


def progress(what: str, finished: int, total: int) -> None:
    """Say on standard error how far it is."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}: {finished:,} of {total:,}", end="", file=sys.stderr, flush=True)
        if finished >= total:
            print(file=sys.stderr)


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as text for a terminal."""
    from annotations.bias.warnings import serious, warnings

    videos, embeddings = figures["videos"], figures["embeddings"]
    shown = [
        f"Descriptions: {figures['descriptions']}. Embeddings: {embeddings['model']}.",
        f"{videos['labelled_test']:,} test and {videos['labelled_train']:,} training videos of "
        f"{len(figures['classes']):,} classes, {figures['captions']:,} captions.",
        *(f"WARNING: {words}" for words in serious(figures)),
        *warnings(figures),
    ]
    for job, title in (("classification", "accuracy"), ("retrieval", "recall@1")):
        part = figures[job]
        shown += ["", f"{job.capitalize()}, {title} in % (95 % interval by video)"]
        if "reason" in part:
            shown.append(f"  {part['reason']}")
            continue
        shown += _table("Common sense", part["common_sense"], part["common_sense_chosen_frame"])
        if "dataset" in part:
            shown += ["", *_table("Data set", part["dataset"], [])]
        elif "dataset_reason" in part:
            shown.append(f"Data set: {part['dataset_reason']}")
        shown.append(_reference(part))
        if "nine" in part:
            shown += _nine(part["nine"])
    shown += ["", figures["hallucination"]["words"]]
    return shown


def _table(title: str, cells: list[dict[str, Any]], chosen: list[dict[str, Any]]) -> list[str]:
    heads = ("middle frame", "best frame*", "average", "sequence")
    rows = [f"{title:<32}" + "".join(f"{head:>20}" for head in heads)]
    by_cell = {(cell["concept"], cell["time"]): cell for cell in cells}
    for concept in dict.fromkeys(cell["concept"] for cell in cells):
        row = "".join(f"{_number(by_cell.get((concept, time))):>20}" for time in _TIMES)
        rows.append(f"{concept:<32}{row}")
    rows.append("* knows the answer: a video counts if any of its frames is right")
    if chosen:
        honest = "  ".join(f"{cell['concept']} {_number(cell)}" for cell in chosen)
        rows.append(f"by the frame chosen without it: {honest}")
    return rows


def _number(cell: dict[str, Any] | None) -> str:
    if cell is None or cell["value"] is None:
        return "–"
    value = f"{100 * cell['value']:.1f}"
    if cell["low"] is None:
        return value
    return f"{value} ({100 * cell['low']:.1f}–{100 * cell['high']:.1f})"


def _reference(part: dict[str, Any]) -> str:
    text = f"Chance {percent_text(part['chance'], 2)}"
    if "most_frequent" in part:
        text += f", most frequent class {percent_text(part['most_frequent'])}"
    return text


def _nine(nine: dict[str, Any]) -> list[str]:
    kappa = nine["kappa"]
    single = max(nine["removed_by_one_model"])
    return [
        f"Objects alone solve {nine['removed']:,} of {nine['samples']:,} "
        f"({percent_text(nine['removed_share'])}) for all nine models; a single one up to "
        f"{percent_text(single)}; guessing would solve {nine['removed_by_chance']:.2g} samples.",
        f"Fleiss' kappa of the nine: over classes {_plain(kappa['over_classes'])}, "
        f"over right and wrong {_plain(kappa['over_right_and_wrong'])}.",
    ]


def _plain(cell: dict[str, Any]) -> str:
    return cell["reason"] if cell["value"] is None else f"{cell['value']:.3f}"
