from core.answers.reading import read
from core.answers.tally import tally

OPTIONS = ("left", "right")


def counted(**replies):
    reply = {"right": "A", "wrong": "B", "unread": "!!!", "refused": "I don't know", "failed": "-1"}
    pairs = [(read(reply[name], OPTIONS), 0) for name, n in replies.items() for _ in range(n)]
    return tally(pairs)


def test_unread_and_failed_replies_stay_in_the_denominator_and_are_told_apart():
    found = counted(right=22, wrong=10, unread=5, failed=3)
    assert (found.n, found.unread, found.empty) == (40, 5, 3)
    assert found.accuracy == 0.55  # 22/40, not 22/32
    assert found.answered_only == 0.6875
    assert found.words == (
        "22 of 40 right (55.0%); 5 unread; 3 without a reply; of the 32 answered only, 68.8%"
    )


def test_refusals_are_counted_by_kind():
    found = counted(right=108, wrong=40, refused=24)
    assert found.refused == (("does not know", 24),)
    assert round(found.accuracy or 0, 6) == 0.627907  # 108/172


def test_several_options_count_as_unread():
    assert tally([(read("A or B", OPTIONS), 0)]).unread == 1


def test_nothing_asked_has_no_accuracy():
    assert tally([]).accuracy is None
    assert tally([]).words == "nothing was asked"
