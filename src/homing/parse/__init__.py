"""Step 3 of the way of a page: from the reply of a host to a page with text and links."""

from homing.parse.page import PageParser

__all__ = ["PageParser"]
