"""Starts crawls: each is a ``homing crawl`` process, in a folder beside the one served.

The process has a session of its own, so it continues when the app ends, and is steered through its folder
like any other crawl.
"""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from homing.config import Config
from homing.errors import FolderError, HomingError
from homing.processes import environment_elsewhere, homing_command
from homing.records import Record, write_records
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.store.folder import Layout, folder_name

SHOWN = 20
"""Maximum lines of a crawl's error output that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A crawl started by this app."""

    folder: Path
    process: subprocess.Popen[bytes]
    workspace: tempfile.TemporaryDirectory[str]
    """Holds its configuration and its error output."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def has_begun(self) -> bool:
        """Whether its folder can be opened; examples may have to be fetched first."""
        try:
            CrawlFolder(self.folder)
        except HomingError:  # there is none yet, or it is being created
            return False
        return True

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    def errors(self) -> list[str]:
        """Return the last lines of its error output."""
        output = (Path(self.workspace.name) / "stderr").read_text(encoding="utf-8", errors="replace")
        lines = [line.strip().removeprefix("homing: ") for line in output.splitlines() if line.strip()]
        if not lines and self.process.poll():
            return [f"it ended with exit code {self.process.poll()}"]
        return lines[-SHOWN:]


class Launcher:
    """Starts crawls. Any thread may use it.

    Parameters
    ----------
    parent
        The only folder that new crawl folders are created in.
    """

    def __init__(self, parent: Path) -> None:
        self._parent = parent
        self._launches: dict[str, Launch] = {}
        self._one_at_a_time = threading.Lock()

    def find(self, name: str) -> Launch | None:
        return self._launches.get(name)

    def start(
        self, config: Config, pages: Mapping[str, Sequence[Record]], settings: Sequence[str] = ()
    ) -> Launch:
        """Start a crawl.

        Parameters
        ----------
        pages
            ``examples`` and ``negatives`` already fetched, in addition to those that the configuration names.
            They are written into the crawl folder, where they last as long as the crawl.
        settings
            Parameters of strategy and judge, each ``KEY=VALUE``.
        """
        with self._one_at_a_time:
            folder = self._free_folder(config.topic.title)
            workspace = tempfile.TemporaryDirectory(prefix="homing-")
            place = Path(workspace.name)
            named: dict[str, list[str]] = {
                key: list(getattr(config.topic, key)) for key in ("examples", "negatives")
            }
            for key, path in Layout(folder).marked_pages.items():
                if records := pages.get(key):
                    folder.mkdir(exist_ok=True)
                    write_records(path, records)
                    named[key].append(str(path))
            whole = config.merged({"topic": {key: names or None for key, names in named.items()}})
            (place / "crawl.toml").write_text(whole.dump(), encoding="utf-8")
            command = homing_command(
                "crawl", "--quiet", f"--config={place / 'crawl.toml'}", f"--out={folder}"
            )
            command += [f"--set={setting}" for setting in settings]
            with (place / "stderr").open("wb") as errors:
                process = subprocess.Popen(  # noqa: S603 -- no shell; every argument is fixed or validated
                    command,
                    # It outlives the app, and with it any folder made for it alone. A relative path in the
                    # settings is meant from here.
                    cwd=self._parent,
                    env=environment_elsewhere(),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=True,
                )
            launch = Launch(folder=folder, process=process, workspace=workspace)
            self._launches[folder.name] = launch
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
        return launch

    def _free_folder(self, topic: str) -> Path:
        """Return a folder named after the topic, with a number appended if the name is taken."""
        name = folder_name(topic)
        for number in range(1, 1_000):
            folder = self._parent / (name if number == 1 else f"{name}-{number}")
            if not folder.exists() and folder.name not in self._running():
                return folder
        raise FolderError(f"there are a thousand crawls called {name} already; remove some")

    def _running(self) -> set[str]:
        return {name for name, launch in self._launches.items() if not launch.is_over}
