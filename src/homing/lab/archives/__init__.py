"""Reading recorded pages out of WARC files of any producer, crawls and JSONL files."""
