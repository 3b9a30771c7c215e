import asyncio

import pytest

from homing.fetch.host_locks import HostLocks


class LoopClock:
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> float:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


DELAY = 0.1


async def _leased(locks: HostLocks, host: str, seconds: float = 0.0) -> float:
    async with locks.hold(host):
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(seconds)
        return began


async def _unleased(locks: HostLocks, host: str) -> float:
    async with locks.hold(host, unleased_delay=DELAY):
        return asyncio.get_running_loop().time()


def test_leased_requests_are_the_frontiers_business_and_do_not_wait() -> None:
    async def two() -> float:
        locks = HostLocks(LoopClock())
        return -await _leased(locks, "a.org") + await _leased(locks, "a.org")

    assert asyncio.run(two()) < DELAY / 2


def test_an_unleased_request_waits_until_the_host_is_free_and_has_rested() -> None:
    async def meet() -> float:
        locks = HostLocks(LoopClock())
        busy = asyncio.create_task(_leased(locks, "a.org", 0.05))
        await asyncio.sleep(0)
        unleased = await _unleased(locks, "a.org")
        return unleased - await busy

    assert asyncio.run(meet()) >= 0.05 + DELAY


def test_the_next_leased_request_rests_after_an_unleased_one() -> None:
    async def meet() -> float:
        locks = HostLocks(LoopClock())
        unleased = await _unleased(locks, "a.org")
        return await _leased(locks, "a.org") - unleased

    assert asyncio.run(meet()) >= DELAY


def test_other_hosts_do_not_wait() -> None:
    async def meet() -> float:
        locks = HostLocks(LoopClock())
        unleased = await _unleased(locks, "a.org")
        return await _leased(locks, "b.org") - unleased

    assert asyncio.run(meet()) < DELAY / 2


def test_hosts_that_have_rested_are_forgotten_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.fetch.host_locks._LONG_AGO", 0.0)
    monkeypatch.setattr("homing.fetch.host_locks._MAX_HOSTS", 100)

    async def crowd() -> tuple[float, int]:
        locks = HostLocks(LoopClock())
        unleased = await _unleased(locks, "a.org")
        for number in range(150):
            await _leased(locks, f"{number}.org")
        return await _leased(locks, "a.org") - unleased, len(locks._hosts)

    waited, hosts = asyncio.run(crowd())
    assert waited >= DELAY
    assert hosts < 100
