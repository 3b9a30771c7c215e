from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.story import Story

from homing.errors import DamagedError
from homing.model import Reply
from homing.store.archive.reading import read_reply
from homing.store.archive.warc import Archive, file_name


def archive_replies(folder: Path, *replies: Reply) -> tuple[Path, int]:
    """The file they were written to, and where the last of them begins."""
    archive = Archive(folder, committed={}, limit=10**9, about={})
    places = [archive.write(reply, digest="sha1:X", unchanged=False, about={}) for reply in replies]
    archive.flush()
    archive.close()
    return folder / file_name(places[-1].file), places[-1].offset


def test_a_reply_comes_back_as_it_was(tmp_path: Path, story: Story) -> None:
    reply = story.reply(
        story.entry(3),
        final_url="https://a.example/moved?q=1",
        headers=(
            ("Content-Type", "text/html"),
            ("Content-Encoding", "gzip"),
            ("content-length", "9"),
            ("Set-Cookie", "a=1"),
            ("Set-Cookie", "b=caf\udce9"),
            ("X-Empty", ""),
        ),
        body=b"<p>decoded\r\n\r\nbody\x00</p>",
        truncated="length",
    )
    path, offset = archive_replies(tmp_path, story.reply(story.entry(1)), reply)
    assert read_reply(path, offset) == reply


@pytest.mark.parametrize("offset", [5, 10**9])
def test_a_place_without_a_reply_is_reported(tmp_path: Path, story: Story, offset: int) -> None:
    path, _ = archive_replies(tmp_path, story.reply(story.entry(1)))
    with pytest.raises(DamagedError, match=f"at byte {offset}"):
        read_reply(path, offset)
