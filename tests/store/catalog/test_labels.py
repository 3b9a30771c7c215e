"""What people say of pages: written, read, and never half."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.story import Open, Story

from homing.errors import FolderError, LockedError, UsageError
from homing.store.catalog.labels import Label, label_pages
from homing.store.views.reader import Reader


def labels(folder: Path) -> dict[str, bool]:
    with Reader(folder) as reader:
        return {label.url: label.relevant for label in reader.labels()}


@pytest.fixture
def folder(tmp_path: Path, open_at: Open, story: Story) -> Path:
    """A crawl at rest that knows four URLs."""
    catalog = open_at(tmp_path)
    story.seed(catalog, pages=3)
    catalog.commit()
    catalog.close()
    return tmp_path


def test_a_label_is_kept_with_its_time_and_the_last_word_counts(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    catalog = open_at(tmp_path)
    story.seed(catalog, pages=2)
    catalog.label(2, True)
    catalog.label(1, True)
    catalog.label(1, False)
    catalog.commit()
    with Reader(tmp_path) as reader:
        assert reader.labels() == [
            Label(seq=1, url="https://a.example/1", relevant=False, at=1_700_000_100.0),
            Label(seq=2, url="https://a.example/2", relevant=True, at=1_700_000_100.0),
        ]


def test_what_was_not_committed_is_not_said(folder: Path, open_at: Open) -> None:
    catalog = open_at(folder)
    catalog.label(1, True)
    catalog.close()
    assert labels(folder) == {}


def test_pages_of_a_crawl_at_rest_are_labelled_by_their_urls_in_any_spelling(folder: Path) -> None:
    label_pages(folder, {"HTTPS://a.example/1": True, "https://a.example/2#top": False}, wall=lambda: 7.0)
    assert labels(folder) == {"https://a.example/1": True, "https://a.example/2": False}


def test_all_are_labelled_or_none(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"https://b\.example/ is unknown"):
        label_pages(folder, {"https://a.example/1": True, "https://b.example/": True}, wall=lambda: 7.0)
    assert labels(folder) == {}


def test_a_crawl_that_runs_is_not_written_by_others(folder: Path, open_at: Open) -> None:
    open_at(folder)
    with pytest.raises(LockedError, match="is being written by"):
        label_pages(folder, {"https://a.example/1": True}, wall=lambda: 7.0)


def test_a_folder_without_a_crawl_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no crawl"):
        label_pages(tmp_path, {}, wall=lambda: 7.0)
    assert list(tmp_path.iterdir()) == []
