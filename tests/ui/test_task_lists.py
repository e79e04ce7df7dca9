"""Tables of the wizard: rows that are typed into become entries and words by text."""

from ui.components.task.condition_pictures import OFFERED, condition_picture
from ui.components.task.lists import as_entries, as_words

REASONS = [
    {"id": "dark", "label": "Too dark", "description": "Nothing can be seen."},
    {"id": "private", "label": "Private", "description": ""},
]


def test_entries_keep_their_ids_and_new_ones_get_one_of_their_letters():
    rows = [
        {"label": "Too dark", "description": "At night"},
        {"label": "No dog!", "description": None},
        {"label": "no dog", "description": float("nan")},
        {"label": "  ", "description": "nobody named it"},
        {"label": "犬", "description": ""},
        {"label": "!", "description": ""},
    ]
    assert as_entries(rows, REASONS) == [
        {"id": "dark", "label": "Too dark", "description": "At night"},
        {"id": "no_dog", "label": "No dog!", "description": ""},
        {"id": "no_dog_2", "label": "no dog", "description": ""},
        {"id": "犬", "label": "犬", "description": ""},
        {"id": "entry", "label": "!", "description": ""},
    ]


def test_words_need_both_columns():
    rows = [
        {"Option": "left", "What it means": "the player's left"},
        {"Option": "right", "What it means": None},
        {"Option": None, "What it means": "nothing"},
    ]
    assert as_words(rows, "Option", "What it means") == {"left": "the player's left"}


def test_each_condition_that_is_offered_has_a_picture_of_its_own():
    pictures = {condition_picture(name) for name in OFFERED}
    assert len(pictures) == len(OFFERED)
    assert all(picture.startswith("data:image/svg+xml,%3Csvg") for picture in pictures)
    # Sixteen frames are sixteen frames; more than a picture holds are drawn as sixteen.
    assert condition_picture("16 frames").count("%3Crect") == 16
    assert condition_picture("8 frames").count("%3Crect") == 8
    assert condition_picture("100 frames").count("%3Crect") == 16
