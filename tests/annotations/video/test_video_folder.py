import unicodedata
from pathlib import Path

import pytest

from annotations.video.video_folder import Shelf, video_files


def shelf(tmp_path: Path, *names: str) -> Shelf:
    for name in names:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode())
    return Shelf(tmp_path)


def found(tmp_path: Path, wanted: str, *names: str) -> str | None:
    path = shelf(tmp_path, *names).find(wanted).path
    return None if path is None else unicodedata.normalize("NFC", str(path.relative_to(tmp_path)))


@pytest.mark.parametrize(
    ("wanted", "file"),
    [
        ("a.mp4", "a.mp4"),
        ("a", "a.mp4"),
        ("human/1", "human/1.mp4"),
        ("1", "human/1.mp4"),
        ("data/videos/human/1.mp4", "human/1.mp4"),
        ("human/1", "1.mp4"),
        ("human/1", "videos/human/1.webm"),
        ("v1.2", "v1.2.mp4"),
        ("shape&trend/a & b.mp4", "shape&trend/a & b.mp4"),
        ("-dash-.mp4", "-dash-.mp4"),
        ("caf\u00e9.mp4", "caf\u00e9.mp4"),
    ],
)
def test_a_video_is_found_by_the_name_that_a_data_set_gives_it(
    tmp_path: Path, wanted: str, file: str
) -> None:
    result = shelf(tmp_path, file, "other.mp4").find(wanted)
    assert result.path == tmp_path / file
    assert result.note == ""


def test_unicode_forms_of_a_name_are_one_name(tmp_path: Path) -> None:
    composed, decomposed = "caf\u00e9.mp4", "cafe\u0301.mp4"
    assert found(tmp_path / "nfd", composed, decomposed) == composed
    assert found(tmp_path / "nfc", decomposed, composed) == composed


def test_case_decides_only_when_nothing_else_fits_and_is_told_of(tmp_path: Path) -> None:
    result = shelf(tmp_path, "Clip.MP4").find("clip.mp4")
    assert result.path == tmp_path / "Clip.MP4"
    assert result.note == "Clip.MP4 differs in case"
    assert found(tmp_path, "Clip.MP4", "Clip.MP4", "clip.mp4") == "Clip.MP4"
    both = shelf(tmp_path, "Clip.MP4", "clip.mp4").find("CLIP.mp4")
    assert both.path is None
    assert "several files fit" in both.reason


def test_another_suffix_is_taken_and_told_of(tmp_path: Path) -> None:
    result = shelf(tmp_path, "a.webm").find("a.avi")
    assert result.path == tmp_path / "a.webm"
    assert "another suffix" in result.note


def test_two_files_that_fit_equally_are_never_chosen_from(tmp_path: Path) -> None:
    result = shelf(tmp_path, "x/a.mp4", "y/a.mp4").find("a.mp4")
    assert result.path is None
    assert result.reason == "several files fit: x/a.mp4, y/a.mp4"
    assert found(tmp_path, "x/a.mp4") == "x/a.mp4"


def test_the_same_key_of_another_kind_is_another_video(tmp_path: Path) -> None:
    assert found(tmp_path, "human/1", "object/1.mp4") is None


def test_dropped_zeros_are_suspected(tmp_path: Path) -> None:
    result = shelf(tmp_path, "0007.mp4").find("7")
    assert result.path is None
    assert "there is 0007.mp4" in result.reason


def test_what_is_hidden_or_no_video_is_not_listed(tmp_path: Path) -> None:
    listed = shelf(tmp_path, "a.mp4", "._a.mp4", ".cache/b.mp4", "notes.txt", "c.MOV").files
    assert [file.name for file in listed] == ["a.mp4", "c.MOV"]
    assert list(video_files(tmp_path / "a.mp4")) == [tmp_path / "a.mp4"]
    assert list(video_files(tmp_path / "notes.txt")) == []


def test_without_a_folder_nothing_is_found() -> None:
    assert Shelf(None).find("a").reason == "no folder of videos was given"
