"""How shares and their differences are written."""

from core.number_text import percent_text, points_text


def test_a_share_has_a_space_before_its_sign():
    assert percent_text(0.125) == "12.5 %"
    assert percent_text(0.95, 0) == "95 %"
    assert percent_text(1.0) == "100.0 %"


def test_no_share_is_a_dash():
    assert percent_text(None) == "–"


def test_a_difference_has_its_sign_and_a_true_minus():
    assert points_text(0.015) == "+1.5"
    assert points_text(-0.03) == "−3.0"
