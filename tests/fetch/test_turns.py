import asyncio

import pytest

from homing.fetch.turns import Turns


class LoopClock:
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> float:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


DELAY = 0.1


async def _leased(turns: Turns, host: str, seconds: float = 0.0) -> float:
    async with turns.leased(host):
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(seconds)
        return began


async def _stray(turns: Turns, host: str) -> float:
    async with turns.stray(host, DELAY):
        return asyncio.get_running_loop().time()


def test_leased_requests_are_the_frontiers_business_and_do_not_wait() -> None:
    async def two() -> float:
        turns = Turns(LoopClock())
        return -await _leased(turns, "a.org") + await _leased(turns, "a.org")

    assert asyncio.run(two()) < DELAY / 2


def test_a_stray_request_waits_until_the_host_is_free_and_has_rested() -> None:
    async def meet() -> float:
        turns = Turns(LoopClock())
        busy = asyncio.create_task(_leased(turns, "a.org", 0.05))
        await asyncio.sleep(0)
        stray = await _stray(turns, "a.org")
        return stray - await busy

    assert asyncio.run(meet()) >= 0.05 + DELAY


def test_the_next_leased_request_rests_after_a_stray_one() -> None:
    async def meet() -> float:
        turns = Turns(LoopClock())
        stray = await _stray(turns, "a.org")
        return await _leased(turns, "a.org") - stray

    assert asyncio.run(meet()) >= DELAY


def test_other_hosts_do_not_wait() -> None:
    async def meet() -> float:
        turns = Turns(LoopClock())
        stray = await _stray(turns, "a.org")
        return await _leased(turns, "b.org") - stray

    assert asyncio.run(meet()) < DELAY / 2


def test_hosts_that_have_rested_are_forgotten_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.fetch.turns._LONG_AGO", 0.0)
    monkeypatch.setattr("homing.fetch.turns._MANY", 100)

    async def crowd() -> tuple[float, int]:
        turns = Turns(LoopClock())
        stray = await _stray(turns, "a.org")
        for number in range(150):
            await _leased(turns, f"{number}.org")
        return await _leased(turns, "a.org") - stray, len(turns._hosts)

    waited, hosts = asyncio.run(crowd())
    assert waited >= DELAY
    assert hosts < 100
