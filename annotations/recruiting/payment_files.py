"""Files of payments, approvals and bonuses, as each site takes them."""

import hashlib
import io
from collections.abc import Iterable, Sequence

from annotations.recruiting.payments import APPROVE, Payment
from annotations.recruiting.recruitment import Recruitment
from annotations.recruiting.site_files import SiteFile
from annotations.workspace import Workspace
from core.spreadsheet import inert, write_rows

LOOK_AT = "payments.csv"


def payment_files(
    workspace: Workspace,
    recruitment: Recruitment,
    due: Sequence[Payment],
    site_file: SiteFile | None = None,
) -> dict[str, bytes]:
    """Return the files by name: `payments.csv` for people, the others for the site.

    Nobody is rejected by these files: what should be looked at is left open in them, with the
    reason in `payments.csv`.

    Args:
        due: those that are not paid yet.
        site_file: Mechanical Turk's results; the batch file then is that file with its columns
            Approve and Reject filled in.
    """
    approved = [payment for payment in due if payment.suggestion == APPROVE]
    bonuses = [payment for payment in approved if payment.bonus > 0]
    files = {LOOK_AT: payments_csv(workspace, due)}
    if recruitment.site.name == "mturk":
        files["mturk_batch.csv"] = _batch(approved, due, site_file)
        files["mturk_bonuses.csv"] = _csv(
            ["WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken"],
            (
                [p.worker, p.session, f"{p.bonus:.2f}", _why(p), _once(workspace, p)]
                for p in bonuses
            ),
        )
    else:
        files["prolific_approve.txt"] = _lines(payment.session for payment in approved)
        files["prolific_bonuses.txt"] = _lines(f"{p.worker},{p.bonus:.2f}" for p in bonuses)
    return files


def payments_csv(workspace: Workspace, due: Sequence[Payment]) -> bytes:
    """Return everything that is known of payments, for people to look at."""
    currency = workspace.settings.currency
    headings = [
        "person", "platform_id", "submission_id", "study", "outcome", "code", "items",
        "active_minutes", f"owed_{currency}", f"reward_{currency}", f"bonus_{currency}",
        "attention_right", "attention_items", "suggestion", "reason",
    ]  # fmt: skip
    return _csv(
        headings,
        (
            [
                p.name, p.worker, p.session, p.study, p.outcome, p.code, p.items,
                f"{p.active_min:.2f}", f"{p.owed:.2f}", f"{p.reward:.2f}", f"{p.bonus:.2f}",
                p.attention_right, p.attention_total, p.suggestion, p.reason,
            ]
            for p in due
        ),
    )  # fmt: skip


def _batch(
    approved: Sequence[Payment], due: Sequence[Payment], site_file: SiteFile | None
) -> bytes:
    """The batch's results with x under Approve; Reject stays empty, which is a person's to fill."""
    good = {payment.session for payment in approved}
    if site_file is None:
        return _csv(
            ["HITId", "AssignmentId", "WorkerId", "Approve", "Reject"],
            ([p.study, p.session, p.worker, "x" * (p.session in good), ""] for p in due),
        )
    headings = [heading for heading in site_file.headings if heading not in ("Approve", "Reject")]
    kept = [site_file.headings.index(heading) for heading in headings]
    return _csv(
        [*headings, "Approve", "Reject"],
        (
            [*(row[at] if at < len(row) else "" for at in kept), "x" * (claim.session in good), ""]
            for row, claim in zip(site_file.cells, site_file.claims, strict=True)
        ),
        safe=False,  # the site's own cells go back as they came
    )


def _why(payment: Payment) -> str:
    return (
        f"{payment.items} items in {payment.active_min:.1f} active minutes: time beyond the reward"
    )


def _once(workspace: Workspace, payment: Payment) -> str:
    """A token by which Mechanical Turk refuses to pay the same bonus again."""
    text = f"{workspace.secret} bonus {payment.submission_id}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _csv(headings: list[str], rows: Iterable[list[object]], *, safe: bool = True) -> bytes:
    target = io.StringIO(newline="")
    write_rows(target, [headings])
    write_rows(target, ([inert(cell) for cell in row] if safe else row for row in rows))
    return target.getvalue().encode()


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
