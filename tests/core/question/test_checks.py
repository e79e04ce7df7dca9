"""Every check: what it has to find, and what it has to leave alone."""

import pytest

from core.check import CheckedQuestion, check, checks
from core.question.guessing import guesses
from core.question.options import drawn_order, names_others
from core.question.words import content_stems, length_in_words, same_key


def asked(
    options: tuple[str, ...] = ("left", "right", "up"), key: int | None = 0,
    text: str = "Which way?", **more: object,
) -> CheckedQuestion:  # fmt: skip
    return CheckedQuestion("q", text, options, key, **more)  # type: ignore[arg-type]


def found(name: str, question: CheckedQuestion) -> list[tuple[str, str]]:
    return [(flag.where, flag.reason) for flag in check(name).find(question)]


PLAIN = [
    ("bicycle kick", "Which man does the bicycle kick?"),
    ("crossover dribble", "Who did the crossover-dribble?"),
    ("backhand", "Which player plays a back hand?"),
    ("back hand", "Which player hits backhands?"),
    ("pick and roll", "Who sets the pick-and-roll?"),
    ("Hook Shot", "Which hook shots does he take?"),
    ("drop", "What happens after the ball is dropped?"),
    ("slap shot", "Who is slap-shooting?"),
]
HIDDEN = [
    ("throw", "What does the man who threw it do?"),
    ("free throw", "Who has thrown the ball free?"),
    ("swim stroke", "Which stroke is swum here?"),
    ("write", "What was written by her?"),
    ("shoot", "Who shot first?"),
    ("run", "Who ran away?"),
]
HARMLESS = [
    ("drive", "What is the driver's helmet like?"),
    ("set", "Where does the setter stand?"),
    ("block", "What does the woman in red do?"),
    ("layup", "Who lays the towel upon the bench?"),
    ("spin move", "What does the player in white do with the ball?"),
    ("cut", "What is the circuit like?"),
]


@pytest.mark.parametrize(("action", "text"), PLAIN + HIDDEN)
def test_an_action_is_found_in_every_form(action: str, text: str):
    flags = check("action_named").find(asked(text=text, key=None, actions=(action,)))
    assert flags, f"{action} in {text}"
    assert flags[0].marks
    assert all(mark in text for mark in flags[0].marks)


@pytest.mark.parametrize(("action", "text"), HARMLESS)
def test_words_that_only_look_alike_are_left_alone(action: str, text: str):
    assert check("action_named").find(asked(text=text, key=None, actions=(action,))) == []


@pytest.mark.parametrize(
    ("text", "options", "named"),
    [
        ("What does she do after the man draws the cards?", ("draw cards", "eat", "walk"), True),
        ("What did he do when they walked off?", ("walk", "sit", "jump"), True),
        # Another option is named as well: the question gives nothing away.
        ("Does she walk or sit?", ("walk", "sit", "jump"), False),
        # The word is common to all options.
        ("Which ball is thrown?", ("the red ball", "the blue ball", "the green ball"), False),
        # A negation names nothing, and of a phrase both words have to be there.
        ("In what direction does it rotate?", ("No rotation.", "Left.", "Right."), False),
        ("What did he do after he crawled up the slide?", ("slide down", "sit", "jump"), False),
    ],
)
def test_a_key_that_the_question_names_alone(text: str, options: tuple[str, ...], named: bool):
    assert bool(found("action_named", asked(options, 0, text))) == named


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        (("up", "down", "first up, then slowly down again", "left"),
         [("option 3", "6 words, the others 1")]),
        (("Up.", "Down.", "Left"), [("option 3", "a full stop at its end")]),
        (("up", "Down", "left"), [("option 2", "a capital at its beginning")]),
        (("1", "2", "none"), [("option 3", "a number alone")]),
        (("to eat", "to drink", "sleep"), [("option 3", "all others begin with to")]),
        (("eating", "running", "jump"), [("option 3", "a word in -ing")]),
        (("eating", "running", "tying shoes", "bring it"), [("option 4", "a word in -ing")]),
        (("up", "down", "left"), []),
        (("Not moving at all.", "Moving up.", "Moving down."), []),
        (("eat the red apple now", "drink a glass of water", "sleep on the sofa"), []),
        (("yes", "no"), []),
        (("Up.", "Down"), []),  # of two, neither is the odd one
        (("上", "下", "左"), []),
        (("one two three four five", "one two three"), []),  # under twice as long
    ],
)  # fmt: skip
def test_unequal_lengths_and_forms(options: tuple[str, ...], flags: list[tuple[str, str]]):
    seen = found("options_uneven", asked(options, 0))
    assert len(seen) == len(flags)
    for (where, reason), (place, words) in zip(seen, flags, strict=True):
        assert where == place
        assert words in reason


@pytest.mark.parametrize(
    ("options", "places"),
    [
        (("back hand", "backhand", "lob"), ["option 2"]),
        (("A dog.", "a dog", "a cat"), ["option 2"]),
        (("Moving Up.", "Moving Up then Down.", "Still."), ["option 2"]),
        (("on a couch in the living room", "room", "garden"), ["option 1"]),
        (("clockwise", "counter-clockwise", "still"), []),
        (("1", "11", "21"), []),
        (("a run", "a runner", "a jump"), []),
        (("A", "B", "Both A and B"), []),
        (("rain", "snow", "None of the above"), []),
        (("left", "right", "up"), []),
    ],
)
def test_equal_and_overlapping_options(options: tuple[str, ...], places: list[str]):
    assert [where for where, _ in found("options_overlap", asked(options, 0))] == places


@pytest.mark.parametrize(
    ("options", "key", "fires"),
    [
        (("push the ski poles backward", "man push her", "pull the rope"), 0, True),
        (("man push her", "push the ski poles backward", "pull the rope"), 0, False),
        (("throw ball", "catch ball", "drop ball"), 1, False),
        (("throw the red ball", "catch ball", "drop ball"), 0, False),  # 3 to 2: one word more
        (("throw the red ball far", "catch ball", "drop"), None, False),
    ],
)
def test_a_key_with_more_detail(options: tuple[str, ...], key: int | None, fires: bool):
    assert bool(found("key_detailed", asked(options, key))) == fires


def test_more_than_twenty_words():
    twenty, more = " ".join(["word"] * 20), " ".join(["word"] * 21)
    assert found("option_long", asked((twenty, more, "short"))) == [
        ("option 2", "21 words; at most 20")
    ]
    # Forty signs of a script without spaces are twenty words; with one more it is twenty-one.
    assert found("option_long", asked(("走" * 40, "走" * 41))) == [
        ("option 2", "21 words; at most 20")
    ]


@pytest.mark.parametrize(
    ("option", "fires"),
    [
        ("she wants to get down", True),
        ("he is thinking about dinner", True),
        ("the sound of a bell", True),
        ("a loud voice calls", True),
        ("he hopes for rain", True),
        ("she listens with headphones on", False),
        ("playing music on a drum", False),
        ("she jumps over the fence", False),
        ("he smiles at the dog", False),
        ("a handsome man", False),
        ("the wand", False),
    ],
)
def test_options_that_no_frame_shows(option: str, fires: bool):
    assert bool(found("option_unseen", asked((option, "up")))) == fires


def test_what_the_question_itself_speaks_of_is_not_flagged():
    question = asked(("a loud sound", "no sound"), 0, "Which sound is louder, by the waves drawn?")
    assert [where for where, _ in found("option_unseen", question)] == ["option 1"]
    assert found("option_unseen", asked(("er will", "sie hofft"), language="german")) == []


BEFORE = (("throws the red ball", "kicks the blue ball", "sits on the grass"), 0)


@pytest.mark.parametrize(
    ("options", "key", "places"),
    [
        (("hurls the red ball", "strikes the blue ball", "rests on grass"), 0, []),
        (("kicks a blue ball", "throws a red ball", "sits on grass"), 0, ["option 1", "option 2"]),
        (("kicks a blue ball", "throws a red ball", "sits on grass"), 1, []),  # moved with its key
        (BEFORE[0], 0, []),
    ],
)
def test_a_key_that_rewriting_moved(options: tuple[str, ...], key: int, places: list[str]):
    question = asked(options, key, earlier=(BEFORE,))
    assert [where for where, _ in found("key_moved", question)] == places
    assert found("key_moved", asked(options, key)) == []


def many(keys: list[int], options: int = 4) -> list[CheckedQuestion]:
    texts = tuple(f"option {index}" for index in range(options))
    return [CheckedQuestion(str(i), "Which?", texts, key) for i, key in enumerate(keys)]


def test_keys_at_one_place():
    even = many([0, 1, 2, 3] * 25)
    assert check("keys_placed").find_in_set(even) == []
    # 60 of 100 at C of four: by chance 25, and 4 places could have been the commonest.
    [flag] = check("keys_placed").find_in_set(many([2] * 60 + [0, 1, 3, 0] * 10))
    assert "60 have the key at C" in flag.reason
    assert "60.0 %, by chance in 25.0 %" in flag.reason
    assert check("keys_placed").find_in_set(many([2] * 19)) == [], "too few to tell"
    assert check("keys_placed").find(even[0]) == []


@pytest.mark.parametrize("name", checks())
def test_every_check_keeps_to_the_contract(name: str):
    module = check(name)
    assert module.TITLE
    assert module.HELP.endswith(".")
    harmless = asked(("up", "down", "left"))
    assert module.find(harmless) == []
    assert module.find_in_set([harmless]) == []
    assert module.find(asked((), None)) == []
    assert module.find_in_set([]) == []


def test_stems_and_keys():
    assert content_stems("the man threw balls") == content_stems("throwing a ball")
    assert content_stems("the") == {"the"}, "where nothing carries meaning, all words count"
    assert same_key("back-hands") == same_key("Back hand") == same_key("backhand")
    assert length_in_words("a b  c") == 3
    assert length_in_words("") == 0


def test_guessing_by_the_words_alone():
    # Longest: right in the first (3 words to 1 and 1), wrong in the second.
    questions = [
        asked(("a long one", "b", "c"), 0, "Which?"),
        asked(("a long one", "b", "c"), 1, "Which b?"),
    ]
    by_rule = {guess.rule: guess for guess in guesses(questions)}
    assert by_rule["always the longest option"].right == 1
    # Shortest: b and c tie, so half a point in the second.
    assert by_rule["always the shortest option"].right == 0.5
    assert by_rule["always the longest option"].chance == pytest.approx(2 / 3)
    assert by_rule["the option that shares most words with the question"].right == (
        pytest.approx(1 / 3 + 1)
    )
    assert guesses([])[0].share is None


@pytest.mark.parametrize(
    ("option", "names"),
    [
        ("Both A and B", True), ("None of the above", True), ("All of the above.", True),
        ("Neither of these options", True), ("A and C", True), ("None of these", True),
        ("both (a) & (b)", True), ("Option B or C", True), ("All the others", True),
        ("A man and a dog", False), ("both hands", False), ("none", True),
        ("above the door", False), ("a and b roads", False), ("Both trees grow", False),
        ("He takes all of it", False), ("Options 1 and 2", True), ("both 2 and 3", True),
        ("Only A", True), ("B only", True), ("A or B", True), ("Same as B", True),
        ("Both are correct.", True), ("All statements are true", True), ("Either", True),
        ("Both are running", False), ("Only one", False), ("Option 3", False),
        ("only a dog", False),
        ("以上都不是。", True), ("都不对", True), ("A和B", True), ("都是红色", False),
        ("上記のすべて", True), ("どちらでもない", True), ("上の人", False), ("위의 모두", True),
        ("Keine der genannten", True), ("Ninguna de las anteriores", True),
        ("Toutes les réponses", True), ("Beide Männer", False), ("Ningún hombre", False),
    ],
)  # fmt: skip
def test_options_that_name_others(option: str, names: bool):
    assert names_others(option) == names


def test_every_order_of_options_is_drawn_and_alike_often():
    from collections import Counter

    counts = Counter(drawn_order(("no", "yes"), f"person/{i}") for i in range(2000))
    # Two orders, 1,000 expected of each; 5 standard deviations are 5 * sqrt(2000 / 4) = 112.
    assert abs(counts[0, 1] - 1000) < 112
    orders = Counter(drawn_order(("a", "b", "c", "d"), f"item/{i}") for i in range(4800))
    assert len(orders) == 24
    assert min(orders.values()) > 130, "200 expected of each, standard deviation 13.8"
    assert drawn_order(("x", "y", "None of the above"), "any seed") == (0, 1, 2)
    assert drawn_order(("a", "b", "c"), "s") == drawn_order(("a", "b", "c"), "s")
