"""The audit of a filter as cards and as columns of a table."""

from html import escape

from annotations.filter.filter_audit import Audit
from core.statistics.metric import Estimate


def audit_cards(found: Audit) -> list[str]:
    """Accuracy, recall, precision and reasons with their intervals, and the four counts."""
    counts = found.counts
    return [
        _card("Same verdict", found.accuracy, f"of {counts.judged:,} videos that both judged"),
        _card("Recall of rejections", found.recall,
              f"of {counts.both + counts.only_people:,} that people reject"),
        _card("Precision of rejections", found.precision,
              f"of {counts.both + counts.only_filter:,} that the filter rejects"),
        _card("Same reason", found.match,
              f"of {found.match.n:,} that both reject; exactly the same {_percent(found.identical)}"
              if found.match.n else ""),
        _counts(found),
    ]  # fmt: skip


def _card(title: str, found: Estimate, below: str) -> str:
    if found.value is None:
        shown = f'<span class="rushes-beside">{escape(found.reason)}</span>'
        below = ""
    else:
        shown = f"{_percent(found)} <span class='rushes-beside'>{escape(interval(found))}</span>"
    return (
        f'<div class="rushes-card"><h4>{escape(title)}</h4><div class="rushes-value">{shown}</div>'
        f'<div class="rushes-small">{escape(below)}</div></div>'
    )


def _counts(found: Audit) -> str:
    counts = found.counts
    lines = (
        ("both reject (TP)", counts.both),
        ("only people reject (FN)", counts.only_people),
        ("only the filter rejects (FP)", counts.only_filter),
        ("both accept (TN)", counts.neither),
    )
    rows = "".join(
        f'<div class="rushes-line" style="margin-top:0.15rem"><span>{words}</span>'
        f"<b>{number:,}</b></div>"
        for words, number in lines
    )
    return f'<div class="rushes-card rushes-small" style="font-size:0.85rem">{rows}</div>'


def interval(found: Estimate) -> str:
    """The interval in words, exact where resampling shows none; else why there is none."""
    if found.exact:
        return f"{100 * found.exact[0]:.1f} to {100 * found.exact[1]:.1f}, exact"
    if found.low is None or found.high is None:
        return found.reason
    return f"{100 * found.low:.1f} to {100 * found.high:.1f}"


def reason_columns(found: Audit) -> dict[str, list[object]]:
    """A row for each reason; shares in percent, with their intervals."""
    rows = found.rows
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
        columns[f"{name} %"] = [_rounded(one.value) for one in estimates]
        columns[f"{name} from"] = [_rounded(_ends(one)[0]) for one in estimates]
        columns[f"{name} to"] = [_rounded(_ends(one)[1]) for one in estimates]
    columns["Note"] = [
        "; ".join(
            f"{name.lower()}: {estimates[place].reason}"
            for name, estimates in shares
            if estimates[place].reason
        )
        for place in range(len(rows))
    ]
    return columns


def _ends(found: Estimate) -> tuple[float | None, float | None]:
    return found.exact or (found.low, found.high)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)


def _percent(found: Estimate) -> str:
    return "–" if found.value is None else f"{100 * found.value:.1f} %"
