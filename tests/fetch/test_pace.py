import asyncio
from datetime import UTC, time

from homing.fetch.pace import Bucket, Pace, RateLimits, Window


class ManualClock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def wall(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        until = self.seconds + seconds
        await asyncio.sleep(0)
        self.seconds = max(self.seconds, until)


HOUR = 3600.0
NIGHT = Window(start=time(22), end=time(6), delay=0.5, pages_per_second=20.0)


def test_outside_of_windows_the_ordinary_limits_hold() -> None:
    pace = Pace(delay=2.0, pages_per_second=3.0, windows=[NIGHT], zone=UTC)
    assert pace.at(12 * HOUR) == RateLimits(delay=2.0, pages_per_second=3.0)


def test_a_window_past_midnight_holds_on_both_sides_of_it() -> None:
    pace = Pace(delay=2.0, windows=[NIGHT], zone=UTC)
    night = RateLimits(delay=0.5, pages_per_second=20.0)
    assert [pace.at(hour * HOUR) for hour in (22, 23.99, 0, 5.99)] == [night] * 4
    assert pace.at(6 * HOUR).delay == pace.at(21.99 * HOUR).delay == 2.0


def test_a_window_leaves_alone_what_it_does_not_name() -> None:
    pace = Pace(
        delay=2.0, pages_per_second=3.0, windows=[Window(start=time(8), end=time(18), delay=9.0)], zone=UTC
    )
    assert pace.at(9 * HOUR) == RateLimits(delay=9.0, pages_per_second=3.0)


def test_the_first_of_two_windows_decides() -> None:
    lunch = Window(start=time(12), end=time(13), delay=1.0)
    day = Window(start=time(8), end=time(18), delay=9.0)
    pace = Pace(windows=[lunch, day], zone=UTC)
    assert (pace.at(12.5 * HOUR).delay, pace.at(14 * HOUR).delay) == (1.0, 9.0)


def test_a_bucket_spaces_what_passes_by_its_rate() -> None:
    clock = ManualClock()
    bucket = Bucket(clock, 4.0)

    async def take_five() -> list[float]:
        moments = []
        for _ in range(5):
            await bucket.take()
            moments.append(clock.now())
        return moments

    assert asyncio.run(take_five()) == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_waiters_of_a_bucket_are_served_in_order_and_none_together() -> None:
    clock = ManualClock()
    bucket = Bucket(clock, 10.0)

    async def take_together() -> list[float]:
        return list(await asyncio.gather(*(bucket.take() for _ in range(4))))

    waits = asyncio.run(take_together())
    assert [round(wait, 6) for wait in waits] == [0.0, 0.1, 0.2, 0.3]


def test_a_burst_goes_through_at_once_after_a_quiet_time_and_not_more() -> None:
    clock = ManualClock()
    bucket = Bucket(clock, 1.0, burst=2.0)

    async def take_four() -> list[float]:
        return [await bucket.take() for _ in range(4)]

    assert asyncio.run(take_four()) == [0.0, 0.0, 0.0, 1.0]


def test_a_large_amount_is_paid_for_by_the_next_caller() -> None:
    clock = ManualClock()
    bucket = Bucket(clock, 100.0)

    async def take_two() -> list[float]:
        return [await bucket.take(1_000), await bucket.take(1)]

    assert asyncio.run(take_two()) == [0.0, 10.0]


def test_without_a_rate_nothing_waits_and_a_rate_can_come_later() -> None:
    clock = ManualClock()
    bucket = Bucket(clock, None)

    async def take() -> list[float]:
        free = [await bucket.take(1e9) for _ in range(3)]
        bucket.rate = 2.0
        return free + [await bucket.take() for _ in range(2)]

    assert asyncio.run(take()) == [0.0, 0.0, 0.0, 0.0, 0.5]


def test_places_in_the_queue_come_up_at_the_rate_and_follow_the_hour() -> None:
    clock = ManualClock()
    clock.seconds = 22 * HOUR - 3.0
    pace = Pace(pages_per_second=1.0, windows=[NIGHT], zone=UTC)
    bucket = Bucket(clock, None)
    assert bucket.due() == bucket.book() == clock.now()
    moments = []
    for _ in range(8):
        bucket.rate = pace.at(clock.wall()).pages_per_second
        clock.seconds = max(clock.seconds, bucket.due())
        moments.append(round(bucket.book() - 22 * HOUR, 6))
    assert moments == [-3.0, -2.0, -1.0, 0.0, 1.0, 1.05, 1.1, 1.15]
