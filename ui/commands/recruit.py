"""`rushes recruit link|onboard|list|payments`: strangers from Mechanical Turk and Prolific."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotations.workspace import Workspace

NAME = "recruit"
HELP = "survey links for Mechanical Turk and Prolific, and the files that pay people there"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One word more, and what it takes."""
    words = parser.add_subparsers(metavar="WHAT", required=True)

    def part(name: str, help_text: str) -> argparse.ArgumentParser:
        below = words.add_parser(name, help=help_text, description=help_text)
        below.add_argument("--workspace", type=Path, required=True, metavar="DIR")
        below.set_defaults(what=name)
        return below

    link = part("link", "make a survey link for a task and print it")
    link.add_argument("name", metavar="NAME")
    link.add_argument("--site", choices=("mturk", "prolific"), required=True)
    link.add_argument("--task", required=True, metavar="NAME")
    link.add_argument("--items", type=int, required=True, help="answers that a submission asks for")
    link.add_argument("--places", type=int, required=True, help="submissions at most")
    link.add_argument("--reward", type=float, required=True, help="what the site pays for one")
    link.add_argument("--consent", type=Path, metavar="FILE.md")
    link.add_argument(
        "--code", action="append", default=[], metavar="OUTCOME=CODE",
        help="a completion code that Prolific has made, such as finished=C1A2B3",
    )  # fmt: skip
    onboard = part("onboard", "set what a task asks of everybody who works on it")
    onboard.add_argument("--task", required=True, metavar="NAME")
    onboard.add_argument("--pass-mark", type=float, metavar="SHARE", help="of practice, 0 to 1")
    onboard.add_argument("--qualification", default="", metavar="NAME",
                         help="tasks of one name take each other's practice")  # fmt: skip
    onboard.add_argument("--attention-mark", type=float, metavar="SHARE")
    onboard.add_argument("--daily-limit", type=int, metavar="N")
    onboard.add_argument("--total-limit", type=int, metavar="N")
    part("list", "print the survey links and how far they are")
    pay = part("payments", "write the files that pay a link's submissions")
    pay.add_argument("name", metavar="NAME")
    pay.add_argument("folder", type=Path, metavar="FOLDER")
    pay.add_argument("--site-file", type=Path, metavar="CSV", help="the site's own results")
    pay.add_argument(
        "--mark-paid", action="store_true", help="no later file holds what is approved in these"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what the second word says."""
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    parts = {"link": _link, "onboard": _onboard, "list": _list, "payments": _payments}
    try:
        return parts[arguments.what](workspace, arguments)
    finally:
        workspace.close()


def _link(workspace: "Workspace", arguments: argparse.Namespace) -> int:
    from annotations.recruiting.recruitment import make_recruitment
    from ui.survey_links import survey_link

    consent = arguments.consent.read_text(encoding="utf-8") if arguments.consent else ""
    codes = dict(code.partition("=")[::2] for code in arguments.code)
    made = make_recruitment(
        workspace, name=arguments.name, site=arguments.site,
        task_id=_task(workspace, arguments.task), items=arguments.items, places=arguments.places,
        reward=arguments.reward, consent=consent, codes=codes,
    )  # fmt: skip
    print(survey_link(workspace, made))
    return 0


def _onboard(workspace: "Workspace", arguments: argparse.Namespace) -> int:
    from annotations.recruiting.onboarding import Onboarding, set_onboarding

    wanted = Onboarding(
        arguments.pass_mark, arguments.qualification, arguments.attention_mark,
        arguments.daily_limit, arguments.total_limit,
    )  # fmt: skip
    set_onboarding(workspace, _task(workspace, arguments.task), wanted)
    return 0


def _list(workspace: "Workspace", arguments: argparse.Namespace) -> int:
    del arguments
    from annotations.recruiting.overview import overview
    from ui.survey_links import survey_link

    for row in overview(workspace):
        made = row.recruitment
        print(
            f"{made.name}: {made.site.label}, {made.state}, {row.ended} of {made.places} places "
            f"done, {row.running} at work, {row.refused} arrivals refused\n"
            f"  {survey_link(workspace, made)}"
        )
    return 0


def _payments(workspace: "Workspace", arguments: argparse.Namespace) -> int:
    from annotations.recruiting.payment_files import payment_files
    from annotations.recruiting.payments import APPROVE, mark_paid, payments
    from annotations.recruiting.recruitment import recruitment_named
    from annotations.recruiting.site_files import read_site_file

    recruitment = recruitment_named(workspace, arguments.name)
    site_file = None
    if arguments.site_file:
        site_file = read_site_file(recruitment.site, arguments.site_file.read_bytes())
    known = payments(workspace, recruitment, site_file and site_file.claims)
    due = [payment for payment in known if payment.paid_at is None]
    approved = [payment for payment in due if payment.suggestion == APPROVE]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, content in payment_files(workspace, recruitment, due, site_file).items():
        (arguments.folder / name).write_bytes(content)
    if arguments.mark_paid:
        mark_paid(workspace, approved)
    bonus = sum(payment.bonus for payment in approved)
    print(
        f"{len(approved)} to approve, bonuses of {bonus:.2f} {workspace.settings.currency}, "
        f"{len(due) - len(approved)} to look at or with nothing due, {len(known) - len(due)} paid "
        "before."
    )
    if site_file is None:
        print("Without --site-file nothing was compared with the site's own list.", file=sys.stderr)
    return 0


def _task(workspace: "Workspace", name: str) -> int:
    from annotations.planning.task_store import task_named

    return task_named(workspace, name)
