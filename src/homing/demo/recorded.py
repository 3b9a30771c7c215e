"""The little web as a recorded one: a web for the lab that needs no download."""

from __future__ import annotations

from collections.abc import Iterator

from homing.demo.web.little_web import LittleWeb
from homing.model import Reply
from homing.records import Record

TARGET = "target"
"""The label of the articles that are to be found."""


def records_of(web: LittleWeb) -> Iterator[Record]:
    """Every page of the web, labelled with its topic; what is endless or never answers is left out."""
    for url, page in web.pages.items():
        labels = [f"topic.{page.topic}"] if page.topic else []
        reply = Reply(url=url, final_url=url, status=page.status, headers=page.headers, body=page.body)
        yield Record(reply=reply, labels=(*labels, *([TARGET] if page.is_target else [])))
