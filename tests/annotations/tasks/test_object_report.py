from annotations.tasks._object_report import report


def test_the_report_gives_the_numbers_of_the_utd_study():
    # UTD 4.2: 761 objects, 667 ticked; of the other 94: 8 attribute errors, 13 misclassifications,
    # 45 hallucinations, 20 visible after all, 8 other.
    classes = {
        "attribute_error": 8,
        "misclassification": 13,
        "hallucination": 45,
        "visible": 20,
        "other": 8,
    }
    judged = ["ticked"] * 667 + [name for name, n in classes.items() for _ in range(n)]
    found = report(judged)
    assert found.objects == 761
    assert found.classes == classes
    assert found.share_visible is not None
    assert found.hallucination_rate is not None
    assert found.share_visible_after_all is not None
    assert abs(found.share_visible - 0.876) < 0.0005  # 87.6 %
    assert round(100 * found.hallucination_rate) == 6  # 45 of 761
    assert round(found.share_visible_after_all, 4) == round(687 / 761, 4)
    assert found.words == "667 of 761 objects visible (87.6 %), 45 hallucinated (5.9 %)"


def test_without_objects_there_are_no_shares_and_a_reason():
    found = report([])
    assert found.share_visible is None
    assert found.hallucination_rate is None
    assert found.words == "no objects were judged"
