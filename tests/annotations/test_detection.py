from pathlib import Path

import pytest

from annotations import format, prediction_format
from annotations.format import Choices


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


def test_a_table_of_one_column_for_each_model_is_told_how_to_come_in(tmp_path):
    table = tmp_path / "replies.csv"
    table.write_text("id,gpt4o,qwen\nq1,A,B\n")
    with pytest.raises(ValueError, match="no known format of predictions") as refused:
        prediction_format.detect(table)
    assert "--map response=qwen, and the model: --model NAME" in str(refused.value)
    assert "import the table once for each" in str(refused.value)
    with pytest.raises(ValueError, match="--as predictions --map response=COLUMN"):
        format.load("table").read(table, Choices())
