import json
import subprocess
import sys
from pathlib import Path

from core.video.audit import Finding, Seen, VideoAudit
from ui.commands.doctor import describe, summary


def doctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from ui.cli import main; sys.exit(main())"]
    return subprocess.run(
        [*command, "doctor", *arguments], capture_output=True, text=True, timeout=120
    )


def test_a_folder_with_a_broken_file_is_audited_to_the_end(tmp_path: Path):
    from fractions import Fraction

    import numpy as np

    from core.video.encode import write_video

    frames = [np.full((64, 96, 3), 4 * i, np.uint8) for i in range(24)]
    write_video(tmp_path / "good & ü.mp4", frames, Fraction(25))
    (tmp_path / "bad.mp4").write_bytes(b"<html>gone</html>")
    ran = doctor(str(tmp_path), "--json")
    assert ran.returncode == 0
    bad, good = json.loads(ran.stdout)["videos"]
    assert bad["error"] == "not a video file (an HTML page)"
    assert good["n_frames"] == 24
    assert [f["verdict"] for f in good["findings"] if "OpenCV" in f["decoder"]] == ["right"]
    assert "2 of 2: good & ü.mp4" in ran.stderr


def test_a_path_that_is_not_there_is_status_2(tmp_path: Path):
    ran = doctor(str(tmp_path / "none"))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "there is no" in ran.stderr
    assert doctor(str(tmp_path)).returncode == 2


def test_the_table_says_what_a_model_would_see():
    seen = (Seen(0, 0, "right"), Seen(9, 13, "wrong"))
    wrong = Finding("decord get_batch", "wrong", 20, seen, "1 of 2 wrong, by up to +4 frames")
    right = Finding("OpenCV seek", "right", 20, seen[:1], "1 of 1 right")
    audit = VideoAudit("/v/a.mp4", "", 20, 0, 1, ("open GOP",), (wrong, right))
    assert describe(audit, "a.mp4").splitlines() == [
        "a.mp4  (20 frames; open GOP; 1 cannot be decoded)",
        "  decord get_batch  WRONG       1 of 2 wrong, by up to +4 frames",
        "  OpenCV seek       ok          1 of 1 right",
    ]
    broken = VideoAudit("/v/b.mp4", "empty file", 0, 0, 0, (), ())
    assert "b.mp4\n  cannot be used: empty file" in describe(broken, "b.mp4")
    assert summary([audit, broken]).splitlines() == [
        "2 videos, 1 of them cannot be used",
        "  decord get_batch  1 wrong",
        "  OpenCV seek       1 right",
    ]
