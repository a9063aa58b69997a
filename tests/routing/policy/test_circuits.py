"""When a circuit opens, how it stands at a time, and what an open one stops; no database."""

from datetime import UTC, datetime, timedelta

import pytest

from routing.policy.circuits import LIMITS, Gate, Opening, Standing, State

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def failed(*, kind: str = "tool", target: str = "a", openings: int = 1, **more: object) -> Opening:
    until = at(LIMITS.pause_of(openings).total_seconds())
    return Opening(
        pk=1,
        kind=kind,
        target=target,
        by_hand=False,
        until=until,
        openings=openings,
        **more,  # type: ignore[arg-type]
    )


def by_hand(*, kind: str = "tool", target: str = "a", until: datetime | None = None) -> Opening:
    return Opening(pk=2, kind=kind, target=target, by_hand=True, until=until)


@pytest.mark.parametrize(
    ("settled", "failures", "opens"),
    [(4, 4, False), (5, 2, False), (5, 3, True), (6, 3, True), (100, 49, False), (100, 50, True)],
)
def test_half_of_at_least_five_open(settled: int, failures: int, opens: bool) -> None:
    assert LIMITS.reached(settled=settled, failed=failures) is opens


def test_the_pause_doubles_up_to_ten_minutes() -> None:
    pauses = [LIMITS.pause_of(openings).total_seconds() for openings in (1, 2, 3, 4, 5, 6, 1000)]
    assert pauses == [30, 60, 120, 240, 480, 600, 600]


def test_what_a_person_opened_is_open_until_its_time_or_for_good() -> None:
    assert by_hand().state(now=at(10**6)) is State.OPEN
    timed = by_hand(until=at(900))
    assert timed.state(now=at(899.9)) is State.OPEN
    assert timed.state(now=at(900)) is State.CLOSED


def test_what_failures_opened_is_half_open_after_the_pause() -> None:
    opening = failed()
    assert opening.state(now=at(29.9)) is State.OPEN
    assert opening.state(now=at(30)) is State.HALF_OPEN


def test_a_probe_that_nothing_is_heard_of_has_failed() -> None:
    opening = failed(probe_until=at(40))
    assert opening.state(now=at(39)) is State.HALF_OPEN
    assert opening.awaits_probe(now=at(39))
    # A second opening in a row lasts a minute from the time that the probe was waited for.
    assert opening.state(now=at(40)) is State.OPEN
    assert opening.state(now=at(99.9)) is State.OPEN
    assert opening.state(now=at(100)) is State.HALF_OPEN
    assert not opening.awaits_probe(now=at(100))


@pytest.mark.parametrize(
    ("kind", "target"), [("tool", "pay"), ("capability", "billing.write"), ("route", "refund")]
)
def test_a_call_is_stopped_by_its_tool_its_capability_and_its_route(kind: str, target: str) -> None:
    opening = by_hand(kind=kind, target=target)
    standing = Standing((opening,))
    call = {"tool": "pay", "capability": "billing.write", "route": "refund"}
    assert standing.gate(**call, now=NOW).stopped_by == opening
    assert not standing.gate(**(call | {kind: "other"}), now=NOW).is_open
    assert not standing.router_gate(model=target, now=NOW).is_open
    assert standing.open_targets(kind=kind, now=NOW) == [target]


def test_a_call_without_capability_or_route_passes_circuits_of_others() -> None:
    standing = Standing((by_hand(kind="route", target="x"), by_hand(kind="capability", target="y")))
    assert standing.gate(tool="pay", now=NOW) == Gate()


def test_one_call_is_the_probe_of_every_half_open_circuit_that_it_passes() -> None:
    tool, route = failed(), failed(kind="route", target="r")
    gate = Standing((tool, route)).gate(tool="a", route="r", now=at(31))
    assert gate == Gate(probing=(tool, route))
    standing = Standing((tool, failed(kind="route", target="r", probe_until=at(40))))
    assert standing.gate(tool="a", route="r", now=at(31)).is_open
    # Half open is offered: else no call could ever show that it works again.
    assert standing.open_targets(kind="tool", now=at(31)) == []


def test_a_hand_outweighs_a_probe() -> None:
    hand = by_hand(until=at(100))
    assert Standing((failed(), hand)).gate(tool="a", now=at(31)).stopped_by == hand
    assert Standing((failed(), hand)).gate(tool="a", now=at(101)).probing


def test_it_is_said_why_a_call_is_stopped() -> None:
    assert by_hand().told(now=NOW) == "The circuit of the tool a is open by hand."
    assert failed(kind="router").told(now=NOW) == (
        "The circuit of the router model a is open after repeated failures "
        "until 2026-03-04T12:00:30Z."
    )
    assert "half open: one call is being tried" in failed(probe_until=at(40)).told(now=at(31))
