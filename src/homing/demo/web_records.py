"""The little web as records: a recorded web for the lab that needs no download."""

from __future__ import annotations

from collections.abc import Iterator

from homing.demo.web.little_web import LittleWeb
from homing.model import Reply
from homing.records import Record

TARGET = "target"
"""The label of the articles to find."""


def records_of(web: LittleWeb) -> Iterator[Record]:
    """Yield every page of the web, labelled with its topic; traps are left out."""
    for url, page in web.pages.items():
        labels = [f"topic.{page.topic}"] if page.topic else []
        reply = Reply(url=url, final_url=url, status=page.status, headers=page.headers, body=page.body)
        yield Record(reply=reply, labels=(*labels, *([TARGET] if page.is_target else [])))
