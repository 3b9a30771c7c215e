"""The little web as records for the lab."""

from __future__ import annotations

from homing.demo.web.little_web import LittleWeb
from homing.demo.web_records import TARGET, records_of


def test_every_page_is_a_record_with_its_topic(web: LittleWeb) -> None:
    records = {record.reply.url: record for record in records_of(web)}
    assert records.keys() == set(web.pages)
    for url, page in web.pages.items():
        record = records[url]
        assert (record.reply.status, record.reply.body) == (page.status, page.body)
        assert (TARGET in record.labels) == page.is_target
        assert (f"topic.{page.topic}" in record.labels) == bool(page.topic)
