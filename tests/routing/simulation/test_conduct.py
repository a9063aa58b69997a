"""What an agent does with the tools that it was given."""

from datetime import timedelta

from routing.simulation.conduct import Request, missing, requests
from routing.simulation.plan import PlannedStep

GROUPS = {"billing": ["find", "settle"], "stock": ["check", "find"], "closed": ["secret"]}
OPEN = ("billing", "stock")


def step(*tools: str, asks: bool = True) -> PlannedStep:
    return PlannedStep(tools=tools, note=None, phase=None, asks=asks, pause=timedelta(seconds=1))


def test_an_agent_with_all_it_needs_asks_for_nothing() -> None:
    assert requests(step=step("find"), held={"find"}, groups=GROUPS, requestable=OPEN) == ()


def test_it_asks_for_the_group_of_what_it_misses() -> None:
    asked = requests(step=step("check"), held={"find"}, groups=GROUPS, requestable=OPEN)
    assert asked == (Request(group="stock", tools=("check",)),)


def test_it_asks_for_each_group_once_in_the_order_of_need() -> None:
    asked = requests(
        step=step("check", "settle", "find"), held=set(), groups=GROUPS, requestable=OPEN
    )
    assert asked == (
        Request(group="stock", tools=("check",)),
        Request(group="billing", tools=("settle", "find")),
    )


def test_it_cannot_ask_for_what_the_route_keeps_closed() -> None:
    assert requests(step=step("secret"), held=set(), groups=GROUPS, requestable=OPEN) == ()
    assert requests(step=step("check"), held=set(), groups=GROUPS, requestable=()) == ()


def test_one_that_gives_up_asks_for_nothing() -> None:
    assert (
        requests(step=step("check", asks=False), held=set(), groups=GROUPS, requestable=OPEN) == ()
    )


def test_what_is_missing_is_told_in_the_order_of_use() -> None:
    assert missing(step("check", "find", "settle"), {"find"}) == ("check", "settle")
