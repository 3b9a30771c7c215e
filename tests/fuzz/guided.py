"""Coverage-guided fuzzing: bytes that reach new code are kept and bred from (``make fuzz``).

    python -m tests.fuzz.guided pages --seconds 300

Atheris (libFuzzer for Python) watches our own code and that of the libraries written in Python; of those in
C it sees when they die. An input that breaks a promise of its target, takes longer than ten seconds or more
than two gigabytes ends the run with an error, and lies then in ``.fuzz``. What is found becomes a test of
the part it was found in.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from hashlib import sha256
from pathlib import Path

FOLDER = Path(".fuzz")
_PROJECTS = ["homing", "protego", "html", "ada_url"]
"""Packages that are watched; all of Python's own would slow it down tenfold."""


def main() -> None:
    """Fuzz one target until the time is up; ends the process, as libFuzzer does."""
    parser = argparse.ArgumentParser(description="Fuzz a target, guided by coverage.")
    parser.add_argument("target", choices=["pages", "archives"])
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time")
    options = parser.parse_args()
    # Not in the dev group: it is large, and needed for nothing else.
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=_PROJECTS):
        targets = importlib.import_module("tests.fuzz.targets")
    corpus = _written(options.target)
    flags = [
        f"-max_total_time={options.seconds}",
        f"-seed={options.seed}",
        f"-artifact_prefix={FOLDER}/{options.target}-",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-max_len=65536",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], targets.TARGETS[options.target])
    atheris.Fuzz()


def _written(target: str) -> Path:
    """The corpus of earlier runs, if any, and what it all began with."""
    from tests.fuzz.corpus import CORPORA  # only now, so that the target's modules are watched

    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    for data in CORPORA[target]():
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)
    return folder


if __name__ == "__main__":
    main()
