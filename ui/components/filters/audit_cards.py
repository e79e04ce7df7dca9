"""The audit of a filter as cards and as columns of a table."""

from html import escape

from annotations.filter.filter_audit import Audit
from core.number_text import percent_text
from core.statistics.metric import Estimate


def audit_cards(result: Audit) -> list[str]:
    """Accuracy, recall, precision and reasons with their intervals, and the four counts."""
    counts = result.counts
    return [
        _card("Same verdict", result.accuracy, f"of {counts.judged:,} videos that both judged"),
        _card("Recall of rejections", result.recall,
              f"of {counts.both + counts.only_people:,} that people reject"),
        _card("Precision of rejections", result.precision,
              f"of {counts.both + counts.only_filter:,} that the filter rejects"),
        _card("Same reason", result.match,
              f"of {result.match.n:,} that both reject; "
              f"exactly the same {_percent(result.identical)}"
              if result.match.n else ""),
        *(_card(name, estimate, f"of {estimate.n:,} videos") for name, estimate in result.further),
        _counts(result),
    ]  # fmt: skip


def _card(title: str, estimate: Estimate, below: str) -> str:
    if estimate.value is None:
        shown = f'<span class="rushes-beside">{escape(estimate.reason)}</span>'
        below = ""
    else:
        shown = (
            f"{_percent(estimate)} <span class='rushes-beside'>{escape(interval(estimate))}</span>"
        )
    return (
        f'<div class="rushes-card"><h4>{escape(title)}</h4><div class="rushes-value">{shown}</div>'
        f'<div class="rushes-small">{escape(below)}</div></div>'
    )


def _counts(result: Audit) -> str:
    counts = result.counts
    lines = (
        ("both reject (TP)", counts.both),
        ("only people reject (FN)", counts.only_people),
        ("only the filter rejects (FP)", counts.only_filter),
        ("both accept (TN)", counts.neither),
    )
    rows = "".join(
        f'<div class="rushes-line" style="margin-top:0.15rem"><span>{label}</span>'
        f"<b>{number:,}</b></div>"
        for label, number in lines
    )
    return f'<div class="rushes-card rushes-small" style="font-size:0.85rem">{rows}</div>'


def interval(estimate: Estimate) -> str:
    """The interval in words, exact where resampling shows none; else why there is none."""
    if estimate.exact:
        return f"{100 * estimate.exact[0]:.1f} to {100 * estimate.exact[1]:.1f}, exact"
    if estimate.low is None or estimate.high is None:
        return estimate.reason
    return f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}"


def reason_columns(result: Audit) -> dict[str, list[object]]:
    """A row for each reason; shares in percent, with their intervals."""
    rows = result.rows
    columns: dict[str, list[object]] = {
        "Reason": [row.label for row in rows],
        "TP": [row.both for row in rows],
        "FN": [row.only_people for row in rows],
        "FP": [row.only_filter for row in rows],
    }
    shares = (
        ("Recall", [row.recall for row in rows]),
        ("Precision", [row.precision for row in rows]),
        ("Same reason", [row.match for row in rows]),
    )
    for name, estimates in shares:
        if name == "Same reason":
            columns["Same"] = [row.same for row in rows]
        columns[f"{name} %"] = [_rounded(estimate.value) for estimate in estimates]
        columns[f"{name} from"] = [_rounded(_ends(estimate)[0]) for estimate in estimates]
        columns[f"{name} to"] = [_rounded(_ends(estimate)[1]) for estimate in estimates]
    columns["Note"] = [
        "; ".join(
            f"{name.lower()}: {estimates[index].reason}"
            for name, estimates in shares
            if estimates[index].reason
        )
        for index in range(len(rows))
    ]
    return columns


def _ends(estimate: Estimate) -> tuple[float | None, float | None]:
    return estimate.exact or (estimate.low, estimate.high)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)


def _percent(estimate: Estimate) -> str:
    return percent_text(estimate.value)
