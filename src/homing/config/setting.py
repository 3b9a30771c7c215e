"""What the field of a section carries beside its type, bounds and default."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the configuration as people meet it: in help texts, in the web form, in the documentation.

    It stands in the annotation of the field; pydantic ignores it, ``keys.py`` reads it:

        delay: Annotated[Seconds, Setting("Seconds between two requests to one host.", "--delay")] = 1.0
    """

    help: str
    """One sentence. The default is appended to it where it is shown."""
    option: str = ""
    """The option or argument of ``homing crawl``; empty: the key can only be set in a file."""
    metavar: str = "N"
    """What the help shows for the value."""
