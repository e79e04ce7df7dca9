import pytest

from annotations.description.cleaning import class_words, cleaned, entries, is_cut, leaks
from annotations.description.concepts import ACTIVITIES, OBJECTS, SUMMARY, VERBS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("person, makeup brush, mirror, table or countertop.", ["person", "makeup brush", "mirror",
                                                             "table or countertop"]),
        ("1. Dog\n2. Ball (red)\n3. dog", ["Dog", "Ball"]),
        # The tenth and the twentieth are numbers of a list as well.
        ("9. Tree\n10. Fence\n20. Gate", ["Tree", "Fence", "Gate"]),
        ("1. Horse 2. Rider 3. Fence", ["Horse", "Rider", "Fence"]),
        ("1) cup 2) spoon", ["cup", "spoon"]),
        ('["cup", "spoon", "cup"]', ["cup", "spoon"]),
        ("[cup, spoon]", ["cup", "spoon"]),
        ('"dog", “red ball”', ["dog", "red ball"]),
        ("- sofa\n- lamp (possibly (old))\n* rug", ["sofa", "lamp", "rug"]),
        ("chair, and table", ["chair", "table"]),
        ("None", []),
        ("none.", []),
        ("N/A", []),
        ("No objects are visible in the image.", []),
        ("", []),
        ("nonesuch, no parking sign", ["nonesuch", "no parking sign"]),
        ("player number 10, ball", ["player number 10", "ball"]),
    ],
)  # fmt: skip
def test_a_list_of_objects_becomes_names(text: str, names: list[str]):
    assert entries(text) == names
    assert cleaned(text, OBJECTS) == ", ".join(names)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1. A dog runs.\n2. A man throws a ball.", "A dog runs. A man throws a ball."),
        ("No activity is visible.", ""),
        ("1. No activity is visible.", ""),
        ('"No activity is visible"', ""),
        ("There are no activities visible in the image.", ""),
        ("A man [left] reads (a book).", "A man reads."),
        ('"Someone is applying something."', "Someone is applying something."),
        ("  two\n\n lines ", "two lines"),
    ],
)
def test_sentences_become_one_line(text: str, wanted: str):
    assert cleaned(text, ACTIVITIES) == wanted
    assert cleaned(text, VERBS) == wanted


def test_a_number_in_a_sentence_stays():
    text = "Player number 10. He runs at 3.5 metres a second."
    assert cleaned(text, SUMMARY) == text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ApplyEyeMakeup", "apply eye makeup"),
        ("YoYo", "yo yo"),
        ("TVShow", "TV show"),
        ("riding_a_bike", "riding a bike"),
        ("high-jump", "high jump"),
        (" Playing the Piano ", "Playing the Piano"),
        ("archery", "archery"),
        ("Walk4Fun", "walk4 fun"),
    ],
)
def test_a_class_name_is_split_into_words(name: str, words: str):
    assert class_words(name) == words


def test_names_that_say_more_than_an_object_are_counted():
    # 'person riding' has a verb, 'man on a horse' four words; a building is a thing.
    assert leaks(["person riding", "man on a horse", "building", "red ball"]) == 2


def test_a_published_text_that_was_cut_is_known_by_its_ellipsis():
    assert is_cut("in their right hand...")
    assert is_cut("hand… ")
    assert not is_cut("in their right hand.")
