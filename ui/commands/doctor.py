"""`rushes doctor`: which videos would a model that reads through another decoder see wrongly."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.video.audit import VideoAudit

NAME = "doctor"
HELP = "show which videos decord or OpenCV would hand to a model with wrong frames"

_MARKS = {"right": "ok", "wrong": "WRONG", "incomplete": "lacking", "unreadable": "unreadable"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to look at, and whether to print JSON."""
    parser.add_argument("path", type=Path, metavar="PATH", help="a video, or a folder of videos")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Audit every video; 0 when the audit ran, whatever it found, and 2 when it could not."""
    from annotations.video.video_folder import left_out, video_files
    from core.process.processes import Workers
    from core.video.audit import audit

    if not arguments.path.exists():
        print(f"rushes doctor: there is no {arguments.path}.", file=sys.stderr)
        return 2
    paths = arguments.path
    videos = [paths] if paths.is_file() else list(video_files(paths))
    not_looked_at = {_shown(path, paths): why for path, why in left_out(paths).items()}
    for name, why in not_looked_at.items():
        print(f"rushes doctor: not looked at: {_printable(name)} {why}.", file=sys.stderr)
    if not videos:
        print(f"rushes doctor: no video files in {arguments.path}.", file=sys.stderr)
        return 2
    audits: list[VideoAudit] = []
    with Workers(2) as workers:
        for finding, video in enumerate(videos, 1):
            print(f"{finding} of {len(videos)}: {video.name}", file=sys.stderr)
            findings = audit(video, workers)
            audits.append(findings)
            if not arguments.json:
                print(describe(findings, _shown(video, arguments.path)), flush=True)
    if arguments.json:
        report = {
            "videos": [a.to_dict() for a in audits],
            "not_looked_at": {_printable(name): why for name, why in not_looked_at.items()},
        }
        print(json.dumps(report, ensure_ascii=False, indent=1))
    elif len(audits) > 1:
        print(summary(audits))
        if not_looked_at:
            print(f"  {len(not_looked_at)} more files were not looked at; the reasons stand above")
    return 0


def _printable(name: str) -> str:
    """A file's name with what is no text in it as escapes."""
    return name.encode("utf-8", "backslashreplace").decode()


def _shown(video: Path, root: Path) -> str:
    return str(video.relative_to(root)) if root.is_dir() else video.name


def describe(audit: "VideoAudit", name: str) -> str:
    """A few lines on one video: itself, then each decoder."""
    if audit.error:
        return f"{name}\n  cannot be used: {audit.error}\n"
    facts = [f"{audit.n_frames} frames", *audit.notes]
    if audit.corrupt:
        facts.append(f"{audit.corrupt} damaged")
    if audit.missing:
        facts.append(f"{audit.missing} cannot be decoded")
    lines = [f"{name}  ({'; '.join(facts)})"]
    for finding in audit.findings:
        mark = _MARKS.get(finding.verdict, finding.verdict)
        lines.append(f"  {finding.decoder:<18}{mark:<12}{finding.message}")
    return "\n".join(lines) + "\n"


def summary(audits: Sequence["VideoAudit"]) -> str:
    """How many videos each decoder reads rightly, one decoder a line."""
    usable = [a for a in audits if not a.error]
    lines = [f"{len(audits)} videos, {len(audits) - len(usable)} of them cannot be used"]
    verdicts: dict[str, Counter[str]] = {}
    for finding in (f for a in usable for f in a.findings):
        verdicts.setdefault(finding.decoder, Counter())[finding.verdict] += 1
    for decoder, count in verdicts.items():
        sentences = ", ".join(f"{count[v]} {v}" for v in count)
        lines.append(f"  {decoder:<18}{sentences}")
    return "\n".join(lines)
