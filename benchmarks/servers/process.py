"""Start a server in a process of its own, so that its work is not counted as the crawl's."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(module: str, *arguments: object) -> Iterator[str]:
    """Run a server module, and end it afterwards; yield the first word it prints: its port or address."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[0]
        finally:
            process.terminate()
