from homing.errors import HomingError, UnreadableError, did_you_mean


def test_a_message_is_one_line_whatever_it_quotes() -> None:
    assert HomingError("cannot read a\nb\x1b[2J").lines == ("cannot read a\\nb\\x1b[2J",)


def test_each_of_several_faults_has_its_line_once() -> None:
    error = UnreadableError(["cannot read a", "cannot read b", "cannot read a"])
    assert error.lines == ("cannot read a", "cannot read b")


def test_a_suggestion_is_the_nearest_word_or_all_of_them() -> None:
    assert did_you_mean("flatnes", ["strength", "flatness"]) == '; did you mean "flatness"?'
    assert did_you_mean("zzz", ["b", "a"]) == "; there is: a, b"
    assert did_you_mean("zzz", []) == ""
