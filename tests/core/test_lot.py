import hashlib

from core.lot import drawn_by_lot, lot


def test_a_lot_is_the_hash_of_salt_and_name():
    # Draws that were made before stay the same draws.
    assert lot("sample ", 7) == hashlib.sha256(b"sample 7").digest()
    assert lot("", "a") != lot("people/", "a")


def test_a_larger_draw_holds_the_smaller_one_whatever_the_order_of_the_units():
    ten = drawn_by_lot(range(100), 10, "sample ")
    assert drawn_by_lot(reversed(range(100)), 30, "sample ")[:10] == ten
    assert sorted(drawn_by_lot(range(100), None, "sample ")) == list(range(100))
    assert drawn_by_lot(range(100), 10, "people/") != ten


def test_units_are_drawn_by_the_name_that_is_asked_for():
    pairs = [("b", 1), ("a", 2), ("c", 3)]
    by_name = drawn_by_lot([name for name, _ in pairs], 2, "s")
    assert [name for name, _ in drawn_by_lot(pairs, 2, "s", lambda pair: pair[0])] == by_name
