import json
import math

import pytest

from core.footage.captions import SpokenLine, has_words, possible_lines, read_captions

ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
 
now<00:00:00.480><c> watch</c><00:00:00.960><c> the</c><00:00:01.500><c> rabona</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
now watch the rabona
 

00:00:02.010 --> 00:00:04.000 align:start position:0%
now watch the rabona
again again again

00:00:04.000 --> 00:00:04.010 align:start position:0%
again again again
 

00:00:04.010 --> 00:00:06.000 align:start position:0%
again again again
left foot &amp; heel
"""


def test_rolling_lines_come_once():
    lines = read_captions(ROLLING)
    assert [line.text for line in lines] == [
        "now watch the rabona", "again again again", "left foot & heel",
    ]  # fmt: skip
    assert [(line.start_s, line.end_s) for line in lines] == [(0, 2.0), (2.01, 4.0), (4.01, 6.0)]


def test_the_quirks_of_subrip():
    text = "\ufeff1\r\n00:00:01,5 --> 00:00:03,250\r\n<i>Don&#39;t</i>\r\nmove\r\n\r\n2\r\n" \
           "01:00:00,000 --> 01:00:01,000\r\nlast\r\n"  # fmt: skip
    assert read_captions(text) == [
        SpokenLine(1.5, 3.25, "Don't move"),
        SpokenLine(3600.0, 3601.0, "last"),
    ]


def test_hours_may_be_lacking_and_blocks_without_times_are_no_cues():
    text = (
        "WEBVTT\n\nSTYLE\n::cue { color: red }\n\nNOTE\na remark\n\n59:00.000 --> 59:01.000\nyes\n"
    )
    assert read_captions(text) == [SpokenLine(3540.0, 3541.0, "yes")]


def test_json3():
    spoken = [{"utf8": "a "}, {"utf8": "kick"}]
    events = [
        {"tStartMs": 500},
        {"tStartMs": 1000, "dDurationMs": 2000, "segs": spoken},
        {"tStartMs": 4000, "segs": [{"utf8": "\n"}]},
    ]
    text = json.dumps({"events": events})
    assert read_captions(text) == [SpokenLine(1.0, 3.0, "a kick")]


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"events": 3}', "{broken"])
def test_what_is_no_captions_is_refused(text: str):
    with pytest.raises(ValueError, match="captions"):
        read_captions(text)


def test_lines_that_cannot_have_been_spoken_are_left_out():
    lines = [
        SpokenLine(5.0, 6.0, "second"),
        SpokenLine(1.0, None, "no end"),
        SpokenLine(9.5, 12.0, "over the end"),
        SpokenLine(11.0, 12.0, "past the end"),
        SpokenLine(3.0, 3.0, "no length"),
        SpokenLine(4.0, 2.0, "backwards"),
        SpokenLine(math.nan, 2.0, "no time"),
        SpokenLine(6.0, 7.0, "... !"),
        SpokenLine(7.0, 8.0, "[Music] (applause) ♪"),
    ]
    # The sound is 10 s long; the line without an end reaches to the next start, 3 s.
    assert possible_lines(lines, 10.0) == [
        SpokenLine(1.0, 3.0, "no end"),
        SpokenLine(5.0, 6.0, "second"),
        SpokenLine(9.5, 10.0, "over the end"),
    ]


def test_notes_are_no_words_in_any_script():
    assert [has_words(text) for text in ("[音楽]", "蹴る", "(laughs) yes", "--")] == [
        False, True, True, False,
    ]  # fmt: skip
