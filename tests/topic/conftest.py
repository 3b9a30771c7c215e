"""The topic is read from crawls of the same small web as the crawler's own tests."""

from tests.crawler.conftest import *  # noqa: F403
