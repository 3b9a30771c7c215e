"""The command line in the process of the test: the same words and exit code, without a start of Python."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

from homing.cli import main


def called(*arguments: object, cwd: Path | str = ".") -> CompletedProcess[str]:
    """``homing`` with these arguments, in that folder."""
    words = [str(argument) for argument in arguments]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code: object = None
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        try:
            main(words)
        except SystemExit as left:
            code = left.code
    assert isinstance(code, int), "main() always leaves with a code"
    printed, said = (each.buffer.getvalue().decode() for each in (out, err))
    return CompletedProcess(words, code, printed, said)
