"""Paying the people of a survey link: what is due, files for the site, and what was paid."""

import io
import zipfile
from collections.abc import Sequence

import streamlit as st

from annotations.recruiting.payment_files import payment_files
from annotations.recruiting.payments import APPROVE, Payment, mark_paid, payments
from annotations.recruiting.recruitment import Recruitment
from annotations.recruiting.site_files import SiteFile, read_site_file
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import callback
from ui.components.tables import show_table
from ui.components.words import plain

_SITE_FILE = {
    "mturk": "Results of the batch (CSV), which name every code that was handed in",
    "prolific": "Submissions of the study (CSV)",
}


def paying(workspace: Workspace, recruitment: Recruitment) -> None:
    """Draw every submission that has ended and is not paid, with files and a button."""
    site_file = _site_file(recruitment)
    known = payments(workspace, recruitment, site_file and site_file.claims)
    due = [payment for payment in known if payment.paid_at is None]
    if not due:
        st.caption("Nothing is due." if known else "Nobody has finished yet.")
        return
    approved = [payment for payment in due if payment.suggestion == APPROVE]
    currency = workspace.settings.currency
    show_table(
        {
            "Person": [p.name for p in due],
            "Answers": [p.items for p in due],
            "Active min": [p.active_min for p in due],
            f"Owed {currency}": [p.owed for p in due],
            f"Reward {currency}": [p.reward for p in due],
            f"Bonus {currency}": [p.bonus for p in due],
            "Attention right": [_of(p) for p in due],
            "Suggestion": [p.suggestion for p in due],
            "Why": [p.reason for p in due],
        },
        wide=["Why"],
    )
    st.caption(_hourly(due, recruitment, currency))
    files_at, paid_at = st.columns(2)
    files_at.download_button(
        "Files for paying",
        data=lambda: zipped(payment_files(workspace, recruitment, due, site_file)),
        file_name=f"{recruitment.name} payments.zip", mime="application/zip",
        icon=":material/download:", on_click="ignore", width="stretch",
    )  # fmt: skip
    paid_at.button(
        f"Mark {len(approved)} as paid",
        on_click=callback(lambda: mark_paid(workspace, approved)),
        disabled=not approved, icon=":material/check:", width="stretch",
        help="Once the site has taken the files: no later file holds these payments again.",
    )  # fmt: skip


def _site_file(recruitment: Recruitment) -> SiteFile | None:
    upload = st.file_uploader(
        _SITE_FILE[recruitment.site.name], "csv", key=f"recruit-site-file-{recruitment.id}"
    )
    if upload is None:
        st.caption(
            "Without the site's own list nothing is compared with it: an address can name any "
            "worker, the site's list cannot."
        )
        return None
    try:
        return read_site_file(recruitment.site, upload.getvalue())
    except Refusal as error:
        st.error(plain(str(error)))
        return None


def _hourly(due: Sequence[Payment], recruitment: Recruitment, currency: str) -> str:
    """What an hour pays by the fixed reward: the sites and the people look at the median."""
    hourly = sorted(60 * recruitment.reward / p.active_min for p in due if p.active_min > 0)
    if not hourly:
        return "Nobody's time at work is known yet."
    middle = (hourly[(len(hourly) - 1) // 2] + hourly[len(hourly) // 2]) / 2
    return f"The reward alone pays {middle:.2f} {currency} an hour in the middle of these people."


def _of(payment: Payment) -> str:
    total = payment.attention_total
    return f"{payment.attention_right} of {total}" if total else "–"


def zipped(files: dict[str, bytes]) -> bytes:
    """Return files as one archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()
