from homing.fetch.robots_text import MAX_BYTES, read, readdress


def test_what_is_past_the_limit_is_not_read_and_no_rule_is_cut_in_half() -> None:
    line = b"Disallow: /abcdefgh/\n"
    text = b"User-agent: *\n" + line * (MAX_BYTES // len(line) + 10)
    lines = read(text).splitlines()
    assert MAX_BYTES - len(line) < len("\n".join(lines)) + 1 <= MAX_BYTES
    assert set(lines[1:]) == {line.decode().strip()}


def test_one_line_longer_than_the_limit_is_dropped() -> None:
    assert read(b"x" * (MAX_BYTES + 1)) == ""


def test_groups_are_addressed_to_us_to_all_or_to_another_robot() -> None:
    text = "User-agent: Homing/2.0\rUser-agent: *\r\nuser agent: hom\nDisallow: /x"
    assert readdress(text, "homing") == "user-agent: homing\nuser-agent: *\nuser-agent: /\nDisallow: /x"
