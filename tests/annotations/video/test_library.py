import os
from pathlib import Path

import pytest

from annotations.media import Media
from annotations.video.library import Keeping, content_of, keep, probe_all


def test_files_that_are_no_videos_cost_only_themselves(tmp_path: Path) -> None:
    (tmp_path / "page.mp4").write_bytes(b"<!DOCTYPE html><title>404</title>")
    (tmp_path / "zero.mp4").write_bytes(b"")
    contents = [content_of(tmp_path / name) for name in ("page.mp4", "zero.mp4")]
    probed = probe_all(contents, lambda words, done, total: None)
    assert probed[contents[0].sha256].reason == "not a video file (an HTML page)"
    assert probed[contents[1].sha256].reason == "empty file"


def test_a_file_that_changes_under_the_import_is_refused(tmp_path: Path) -> None:
    video = tmp_path / "a.mp4"
    video.write_bytes(b"one")
    content = content_of(video)
    video.write_bytes(b"another")
    os.utime(video, ns=(0, 0))
    with pytest.raises(ValueError, match="changed while it was imported"):
        keep(Keeping(content, Media(tmp_path / "media"), copy_for_player=False))
    assert not list((tmp_path / "media").rglob("original*"))
