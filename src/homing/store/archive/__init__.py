"""The replies as they came: WARC files."""
