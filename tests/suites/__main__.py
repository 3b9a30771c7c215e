"""Run the suites of others and write docs/reliability.md: ``python -m tests.suites``."""

from __future__ import annotations

import sys

from tests.suites import page
from tests.suites.suite import DATA


def main() -> int:
    """Write the page, unless a figure is not what the lists of accepted differences say."""
    if not DATA.is_dir():
        print("the suites are not on this machine", file=sys.stderr)
        return 2
    measured = [(suite, suite.measured()) for suite in page.SUITES]
    surprises = [
        f"{suite.name}: {found} where {suite.expected()} is expected"
        for suite, found in measured
        if found != suite.expected()
    ]
    if surprises:
        print(*surprises, sep="\n", file=sys.stderr)
        return 1
    page.PAGE.write_text(page.text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
