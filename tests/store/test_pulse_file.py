from __future__ import annotations

from pathlib import Path

from homing.store.pulse_file import Awaited, Pulse, read_pulse, write_pulse


def test_a_pulse_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "pulse.json"
    assert read_pulse(path) is None
    pulse = Pulse(at=1.5, paused=True, head=(Awaited(url="http://a.example/", why=(("anchor", 0.5),)),))
    write_pulse(path, pulse)
    assert read_pulse(path) == pulse
    path.write_text("[]")
    assert read_pulse(path) is None
