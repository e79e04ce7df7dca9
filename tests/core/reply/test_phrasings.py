import json

import pytest

from core.reply.reading import read

PHRASINGS = {
    "letter alone": "{L}",
    "in brackets": "({L})",
    "bold": "**{L}**",
    "with a full stop": "{L}.",
    "lower case": "{l}",
    "with text": "{L}. {text}",
    "colon and text": "{L}: {text}",
    "text alone": "{text}",
    "text in lower case": "{lower}",
    "TOMATO's own": "Answer is:{L}",
    "with a blank": "Answer is: {L}",
    "answer": "Answer: {L}",
    "sentence": "The answer is {L}.",
    "sentence with text": "In the video, the correct option is ({L}) {text}",
    "text in a sentence": "The answer is {lower}",
    "JSON": '{{"answer": "{L}"}}',
    "tag": "<answer>{L}</answer>",
    "all options echoed": "{echo}\n\nThe correct answer is **{L}**",
    "another ruled out": "I can rule out {other}. The answer is {L}.",
    "chain of thought": "Let's think step by step. In frame 1 a hand is on the left; in frame 16 "
    "it moved, so A is unlikely and B would need 3 turns.\n\n**Final Answer:** {L}. {text}",
}


@pytest.mark.parametrize("name", PHRASINGS)
def test_all_of_tomato_s_keys_are_read_right_in_each_phrasing(name, shared):
    for file in sorted((shared / "data" / "tomato").glob("*.json")):
        for record in json.loads(file.read_text()).values():
            options, key = record["options"], record["answer"]
            reply = PHRASINGS[name].format(
                L="ABCDEFG"[key],
                l="abcdefg"[key],
                text=options[key],
                lower=options[key].lower(),
                other="ABCDEFG"[(key + 1) % len(options)],
                echo="\n".join(f"{'ABCDEFG'[i]}. {one}" for i, one in enumerate(options)),
            )
            assert read(reply, options).choice == key, (reply, options)
