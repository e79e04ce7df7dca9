import json
import os

from ui.cli import main


def test_files_that_are_not_looked_at_are_named_with_the_reason(tmp_path, capsys):
    (tmp_path / "v").mkdir()
    (tmp_path / "elsewhere.mp4").write_bytes(b"x")
    (tmp_path / "v" / "link.mp4").symlink_to(tmp_path / "elsewhere.mp4")
    (tmp_path / "v" / os.fsdecode(b"caf\xe9.mp4")).write_bytes(b"x")
    (tmp_path / "v" / "broken.mp4").write_bytes(b"x")
    assert main(["doctor", str(tmp_path / "v"), "--json"]) == 0
    output = capsys.readouterr()
    assert "not looked at: link.mp4 is a link that leads out of the folder" in output.err
    report = json.loads(output.out)
    assert len(report["videos"]) == 1
    assert set(report["not_looked_at"]) == {"link.mp4", "caf\\udce9.mp4"}
