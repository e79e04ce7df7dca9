import time

import pytest

from core.reply.reading import read

OPTIONS = ("sits down", "throws the ball", "leaves the pitch", "shakes hands")
# Replies as models word them, each with the only option that it states as its answer, by hand.
STATED = [
    ("Best answer: D", "D"),
    ("Based on the video, C", "C"),
    ("Based on the video, A.", "A"),
    ("Options B and D are wrong; A.", "A"),
    ("✅ B", "B"),
    ("👉 **B**", "B"),
    ("The options are A, B, C", None),
    ("option b", "B"),
    ("I pick option c.", "C"),
    ("Answer:D\nThe man", "D"),
    ("The answer is D.The man shakes.", "D"),
    ("Answer: A person sits down", "A"),
    ("(B) throws the ball is the correct answer", "B"),
    ("B (throws the ball)", "B"),
    ("answer: b)", "B"),
    ("To answer the question: what does he do? He throws the ball.", "B"),
    ("The answer to the question is B.", "B"),
    ("The answer to this question based on the frames provided is (C) leaves the pitch.", "C"),
    ("Considering A, B, C and D, D.", None),
    ("D) shakes hands\nD) shakes hands\nD) shakes hands", "D"),
    (
        "From the frames, it can be observed that the person throws the ball. "
        "Therefore, the correct answer is B. throws the ball.",
        "B",
    ),
    ("The answer is A because B is wrong", "A"),
    ("Answer: A\nAnswer: A\nAnswer: A", "A"),
    ("Answer: C\n\nQuestion: next?\nA. x\nB. y", "C"),
    ("The correct answer is not listed.", None),
    ("There is no correct answer.", None),
    ("The answer is none of the above.", None),
    ("The answer is unclear", None),
    ("The answer cannot be determined", None),
    ("My final answer is option number B", "B"),
    ("I am 90% sure that it is C", "C"),
    ("Probably D", None),
    ("It seems the answer is D", "D"),
    ("The answer might be D", None),
    ("D is the most likely answer.", "D"),
    ("D seems correct", "D"),
    ("I'd say D.", "D"),
    ("B!!!", "B"),
    ("B,", "B"),
    ("B;", "B"),
    ("B...", "B"),
    ("b", "B"),
    ("'b'", "B"),
    ("B) ", "B"),
    ("{B}", "B"),
    ("<B>", "B"),
    ("[B]", "B"),
    ("|B|", "B"),
    ("B\u200b", "B"),
    ("\ufeffB", "B"),
    ("The first option", None),
    ("Option two", None),
    ("the second one", None),
    ("Neither A nor B; C is right.", "C"),
    ("Not A, not B, not C.", None),
    ("All except B are wrong.", None),
    ("It's either (A) or (C), but the hand motion suggests (C).", None),
    ("If I had to guess, I would say (C).", "C"),
    ("Sorry, I can't see the video, but I guess C.", "C"),
    ("I cannot answer A or B.", None),
    ("A is incorrect", None),
    ("A: incorrect, B: correct", None),
    ("Answer: B. throws the ball or C. leaves the pitch", None),
    ("The answer is both B and C", None),
    ("B&C", None),
    ("B+C", None),
    ("B, C", None),
    ("B; C", None),
    ("B and C.", None),
    ("Answers: B, D", None),
    ("1. B", None),
    ("Final Answer: \\boxed{B}", "B"),
    ("$$\\boxed{\\textbf{(B)}}$$", "B"),
    ("**Answer**: B", "B"),
    ("**Answer:** B", "B"),
    ("### Answer\nB", "B"),
    ("### Answer\n\nB. throws the ball", "B"),
    ("Answer\n\nB", "B"),
    ("Explanation: he throws.\n\nAnswer\nB", "B"),
    ("The correct answer is\n\n(B) throws the ball", "B"),
    ("Respuesta: B", "B"),
    ("La respuesta correcta es la opción B.", "B"),
    ("Die Antwort lautet B.", "B"),
    ("La réponse est la B.", "B"),
    ("A resposta correta é B.", "B"),
    ("La risposta corretta è B.", "B"),
    ("Prawidłowa odpowiedź to B.", "B"),
    ("Правильный ответ: B", "B"),
    ("正解はBです。", "B"),
    ("정답: B", "B"),
    ("答案选B", "B"),
    ("故选B。", "B"),
    ("选B", "B"),
    ("B选项正确", "B"),
    ("选项B正确，选项A错误", "B"),
    ("答案不是A，而是B", "B"),
    ("Đáp án: B", "B"),
    ("คำตอบ: B", "B"),
    ("الإجابة: B", "B"),
    ("उत्तर: B", "B"),
    ("Thus, A.", "A"),
    ("So: A", "A"),
    ("a. sits down", "A"),
    ("A sits down", "A"),
    ("A. Sits Down", "A"),
    ("A- sits down", "A"),
    ("A — sits down", "A"),
    ("A\tsits down", "A"),
    ("A) sits down; B) throws the ball; C) leaves the pitch; D) shakes hands", None),
    ("The answer is (A), (B) is wrong.", "A"),
    ("The answer is A, B is wrong.", "A"),
    ('The answer is "throws the ball".', "B"),
    ("He throws the ball instead of leaving.", "B"),
    ("The person leaves the pitch after he shakes hands.", None),
    ('"throws the ball"', "B"),
    ("THROWS THE BALL", "B"),
    ("Throws the ball!", "B"),
    ("throw the ball", None),
]


@pytest.mark.parametrize(("reply", "expected"), STATED)
def test_a_reply_is_read_as_a_person_reads_it(reply, expected):
    found = read(reply, OPTIONS)
    assert (None if found.choice is None else "ABCD"[found.choice]) == expected, found


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I see player 34 doing a jump. The answer is 2.", 1),
        ("player 34 ... 2", None),
        ("2. run", 1),
        ("The answer is choice 3", 2),
        ("Step 1: look. Step 2: think.\n\n4", 3),
        ("10", None),
        ("0", None),
        ("-1", None),
        ("Answer: 3 (kick)", 2),
        ("Option 3 kick", 2),
    ],
)
def test_of_the_numbers_in_a_reply_only_the_stated_one_is_read(reply, expected):
    assert read(reply, ("jump", "run", "kick", "pass", "shoot"), "12345").choice == expected


@pytest.mark.parametrize(
    "part", ["a ", "A ", "answer ", "(", "is ", "The answer is ", "not B. ", "<think>", "{", "答案"]
)
def test_a_reply_that_loops_forever_is_read_soon_and_as_nothing(part):
    start = time.process_time()
    found = read(part * (60_000 // len(part)), OPTIONS)
    assert found.choice is None
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("B<end_of_turn>", "B"), ("<start_of_turn>model\nB<end_of_turn>", "B"),
        ("B<end_of_turn>\n<start_of_turn>user\nAnd C?", "B"), ("B<eos>", "B"), ("B<unk>", "B"),
        ("B<\uff5cend\u2581of\u2581sentence\uff5c>", "B"), ("<video>B", "B"), ("B<0x0A>", "B"),
        ("Answer: <B>", "B"), ("The answer is <C>.", "C"), ("<A> or <B>", ""),
        ("The <B>answer</B> is hard to tell.", ""), ("Answer: <letter>", ""),
        ("A resposta correta é a letra C.", "C"), ("La risposta è la lettera B.", "B"),
        ("La réponse est la lettre A.", "A"), ("Die Antwort ist der Buchstabe D.", "D"),
    ],
)  # fmt: skip
def test_tokens_of_a_model_and_brackets_of_a_template_are_no_part_of_the_answer(reply, letter):
    reading = read(reply, ["sits down", "throws the ball", "leaves the pitch", "shakes hands"])
    assert ("" if reading.choice is None else "ABCD"[reading.choice]) == letter
