"""``homing export``: the pages of a crawl as files for other programs."""
