from pathlib import Path

import pytest

from annotations import format, prediction_format


@pytest.mark.parametrize(
    ("module", "of", "give"),
    [
        (format, "", "a file of questions or a folder"),
        (prediction_format, " of predictions", "a file or folder of predictions"),
    ],
)
def test_what_is_in_no_format_is_refused_in_words_of_its_kind(
    module, of: str, give: str, tmp_path: Path
):
    absent = tmp_path / "nothing.csv"
    with pytest.raises(ValueError, match="exist") as found:
        module.detect(absent)
    assert str(found.value) == f"{absent} does not exist. Give {give}."

    with pytest.raises(ValueError, match="exel") as found:
        module.load("exel")
    assert str(found.value).startswith(f"There is no format 'exel'{of}. Allowed: ")

    notes = tmp_path / "notes.md"
    notes.write_text("hello")
    with pytest.raises(ValueError, match="notes") as found:
        module.detect(notes)
    assert str(found.value).startswith(f"{notes} is in no known format{of}. Known are ")
