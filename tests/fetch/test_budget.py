"""Large bodies share a budget: who comes late waits, who came first goes on."""

import asyncio

from homing.fetch.budget import BodyBudget


def test_small_bodies_are_never_kept_waiting() -> None:
    budget = BodyBudget(most=100, large=10)
    assert budget.grant(1, 200)
    assert budget.grant(2, 10)


def test_a_body_beyond_the_budget_waits_until_the_eldest_is_archived() -> None:
    async def run() -> list[str]:
        budget, told = BodyBudget(most=100, large=10), []

        async def grow(holder: int) -> None:
            if not budget.grant(holder, 60):
                await budget.wait(holder)
            told.append(f"{holder} goes on")

        tasks = [asyncio.create_task(grow(holder)) for holder in (1, 2, 3)]
        await asyncio.sleep(0.01)
        for holder in (1, 2, 3):
            told.append(f"{holder} is archived")
            budget.release(holder)
            await asyncio.sleep(0.01)
        await asyncio.gather(*tasks)
        return told

    assert asyncio.run(run()) == [
        "1 goes on",
        "1 is archived",
        "2 goes on",
        "2 is archived",
        "3 goes on",
        "3 is archived",
    ]


def test_the_eldest_may_grow_beyond_the_budget() -> None:
    budget = BodyBudget(most=100, large=10)
    assert budget.grant(1, 90)
    assert not budget.grant(2, 20)
    assert budget.grant(1, 1_000)


def test_releasing_who_holds_nothing_changes_nothing() -> None:
    budget = BodyBudget(most=100, large=10)
    budget.grant(1, 90)
    budget.release(7)
    assert not budget.grant(2, 20)
