"""The runs as plain JSON values and as lines for a terminal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotations.scoring.human_accuracy import Resampled
    from annotations.scoring.snapshot import Snapshot
    from core.statistics.metric import Estimate

_HEADINGS = f"{'%':>7}{'low':>8}{'high':>8}{'n':>8}  {'answered':<12}not read"


def run_report(snapshot: "Snapshot", resample: "Resampled") -> dict[str, Any]:
    """Runs and shortcut metrics, as on the page about runs; shares in [0, 1], None undefined.

    Args:
        resample: what the intervals draw again.
    """
    from annotations.scoring.leaderboard import leaderboard
    from annotations.scoring.prediction_columns import STATES
    from annotations.scoring.run_counts import left_out
    from annotations.scoring.solved_table import EVERY_QUESTION
    from annotations.shortcut.shortcut_metrics import METRICS, average_gain, gains, many_conditions

    runs = [
        {
            "model": line.entry.model,
            "condition": line.entry.condition,
            "task": line.entry.task,
            "made": line.entry.made,
            **estimate_values(line.accuracy),
            "answered": line.counts.answered,
            "asked": line.counts.asked,
            "states": dict(zip(STATES, line.counts.states, strict=True)),
            "refusals": dict(line.counts.refusals),
            "failed": line.counts.failed,
            "earlier_version": line.counts.earlier,
        }
        for line in leaderboard(snapshot, EVERY_QUESTION, resample)
    ]
    several = [entry for entry in many_conditions(snapshot) if entry != "full video"]
    shortcuts = [
        {
            "metric": entry.metric,
            "model": entry.model,
            "above": entry.above,
            "below": entry.below,
            **estimate_values(entry.estimate),
        }
        for metric in METRICS
        for many in several[:1]
        for entry in (
            *gains(snapshot, metric, many, EVERY_QUESTION, resample),
            average_gain(snapshot, metric, many, EVERY_QUESTION, resample),
        )
    ]
    return {
        "runs": runs,
        "runs_left_out": left_out(snapshot, EVERY_QUESTION),
        "checked_keys": _checked_keys(snapshot),
        "shortcut_metrics": shortcuts,
        "option_positions": _option_positions(snapshot, resample),
    }


def _option_positions(snapshot: "Snapshot", resample: "Resampled") -> list[dict[str, Any]]:
    """How often each position is chosen and holds the key, of everybody who chose an option."""
    from annotations.scoring.solved_table import EVERY_QUESTION
    from annotations.shortcut.option_positions import option_positions

    return [
        {
            "model": positions.entry.model,
            "condition": positions.entry.condition,
            "population": positions.population,
            "answers": positions.answers,
            "questions": positions.questions,
            "left_out": dict(positions.left_out),
            "key_by_chosen": [list(row) for row in positions.counts],
            "positions": [
                {
                    "position": share.position,
                    "keys": share.keys,
                    "chosen": share.chosen,
                    "p_value": share.p_value,
                    **estimate_values(share.difference),
                }
                for share in positions.shares
            ],
        }
        for positions in option_positions(snapshot, EVERY_QUESTION, resample)
    ]


def _checked_keys(snapshot: "Snapshot") -> dict[str, Any] | None:
    """Runs by keys that people still check; None where no key is checked."""
    from annotations.adjudication.checked_keys import keys_under_check, more_checks

    checked = keys_under_check(snapshot)
    if checked is None:
        return None
    return {
        "checks": checked.population.stands_on,
        "confirmed": checked.confirmed,
        "population": checked.population.as_dict(),
        "runs": [
            {
                "model": run.entry.model,
                "condition": run.entry.condition,
                "by_stored_keys": run.by_stored,
                **(
                    estimate_values(run.figures.estimate)
                    if run.figures
                    else {"value": None, "low": None, "high": None, "n": 0, "exact": None}
                ),
                "by_checks_alone": estimate_values(run.figures.alone) if run.figures else None,
                "more_until_3_points": more_checks(run.figures),
                "why": run.why,
            }
            for run in checked.runs
        ],
    }


def run_lines(report: dict[str, Any]) -> list[str]:
    """The runs of models as text; nothing where there are none."""
    if not any(entry["model"] != "People" for entry in report["runs"]):
        return []
    lines = ["", f"{'Model':<34}{'Condition':<20}{_HEADINGS}"]
    for entry in report["runs"]:
        name = _cut(entry["model"], 34) + _cut(entry["condition"], 20)
        nothing = sum(number for state, number in entry["states"].items() if state != "read")
        answered = f"{entry['answered']:,} of {entry['asked']:,}"
        lines.append(f"{name}{_shares(entry)}{entry['n']:>8,}  {answered:<12}{nothing:,}")
    lines += [f"{words}." for words in report["runs_left_out"]]
    lines += _checked_lines(report["checked_keys"])
    lines += ["", f"{'Model':<34}{'Shortcut metric':<30}{'%':>7}{'low':>8}{'high':>8}{'n':>8}"]
    for entry in report["shortcut_metrics"]:
        name = _cut(entry["model"], 34) + _cut(entry["metric"], 30)
        note = f"  {entry['reason']}" if entry["value"] is None else ""
        lines.append(f"{name}{_shares(entry)}{entry['n']:>8,}{note}")
    return [*lines, *_position_lines(report["option_positions"])]


def _position_lines(everybody: list[dict[str, Any]]) -> list[str]:
    """Of each position how much more often it is chosen than it is right, in points, as text."""
    if not everybody:
        return []
    lines = ["", f"{'Model':<34}{'Condition':<20}chosen minus key at each position, in points"]
    for entry in everybody:
        shares = "  ".join(
            f"{share['position']} {100 * share['value']:+.1f}" for share in entry["positions"]
        )
        lines.append(f"{_cut(entry['model'], 34)}{_cut(entry['condition'], 20)}{shares}")
    return lines


def _checked_lines(checked: dict[str, Any] | None) -> list[str]:
    """What checks of keys say of the runs, as text."""
    if checked is None:
        return []
    title = f"{'If all keys were checked':<34}{'Condition':<20}"
    lines = ["", f"{title}{'%':>7}{'low':>8}{'high':>8}{'checks':>8}  until ± 3 points"]
    for entry in checked["runs"]:
        name = _cut(entry["model"], 34) + _cut(entry["condition"], 20)
        more = entry["more_until_3_points"]
        note = entry["why"] or ("" if more is None else f"{more:,} more")
        lines.append(f"{name}{_shares(entry)}{entry['n']:>8,}  {note}")
    return [*lines, *[f"{words}." for words in checked["population"]["words"]]]


def _shares(entry: dict[str, Any]) -> str:
    low, high = entry["exact"] or (entry["low"], entry["high"])
    texts = [
        "–" if share is None else f"{round(100 * share, 1) + 0.0:.1f}"
        for share in (entry["value"], low, high)
    ]
    return f"{texts[0]:>7}{texts[1]:>8}{texts[2]:>8}"


def _cut(text: str, width: int) -> str:
    return f"{text if len(text) < width else text[: width - 2] + '…':<{width}}"


def estimate_values(estimate: "Estimate") -> dict[str, Any]:
    """An estimate as plain JSON values."""
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "clusters": estimate.clusters,
        "reason": estimate.reason,
        "exact": list(estimate.exact) if estimate.exact else None,
        "excluded": dict(estimate.excluded),
    }
