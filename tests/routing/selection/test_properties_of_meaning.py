"""What holds for every strategy, catalog and request, where meaning is read beside words."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from routing.selection import (
    Channel,
    Circumstances,
    IllegalTransition,
    Index,
    ModelAnswer,
    Query,
    Selection,
    Strategy,
    expand,
    select,
)
from tests.routing.selection.conftest import SAMPLES
from tests.routing.selection.documents import lexical, office
from tests.routing.selection.hashing import hashed
from tests.routing.selection.test_properties import (
    EFFECTS,
    GROUPS,
    NAMES,
    SOME,
    TEXT,
    allowed_names,
    documents,
)

Asked = tuple[dict[str, Any], Index, Query, Circumstances]
MODELS = st.builds(
    lambda groups, confidence: ModelAnswer(
        model="m", groups=tuple(groups), confidence=confidence, failure=None
    ),
    st.lists(st.sampled_from(GROUPS), unique=True),
    st.floats(0, 1),
)
SETTINGS = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
every_strategy = pytest.mark.parametrize("strategy", list(Strategy))


@st.composite
def requests(draw: st.DrawFn) -> Asked:
    source = draw(documents())
    for entry in (*source["tools"], *source["groups"]):
        entry["examples"] = draw(st.lists(TEXT, max_size=1))
    source["phases"].append({"name": "q", "tools": draw(SOME), "groups": [], "next": ["p"]})
    source["channel_rules"] = [
        {"kind": "queue", "value": "in", "groups": [draw(st.sampled_from(GROUPS))]}
    ]
    index = (hashed if draw(st.booleans()) else lexical)(source)
    route = "r" if index.routes else None
    query = Query(
        task=draw(st.lists(TEXT, min_size=1, max_size=3).map(" and then ".join)),
        history=tuple(draw(st.lists(TEXT, max_size=2))),
        phase=draw(st.sampled_from([None, "p", "q"])),
        channel=draw(st.sampled_from([None, Channel("queue", "in"), Channel("queue", "out")])),
        route=route,
        max_tools=draw(st.one_of(st.none(), st.integers(1, 9))),
        inclusive=draw(st.booleans()),
        open_groups=tuple(
            draw(st.lists(st.sampled_from(["", *index.route(route).groups]), unique=True))
        ),
    )
    query = replace(query, open_groups=tuple(name for name in query.open_groups if name))
    circumstances = Circumstances(
        frozenset(draw(st.sets(st.sampled_from([*NAMES, "a"]), max_size=4))),
        explore=draw(st.booleans()),
        model_answer=draw(st.one_of(st.none(), MODELS)),
        came_from=draw(st.sampled_from([None, "q"])),
    )
    return source, index, query, circumstances


def served(index: Index, selection: Selection) -> list[str]:
    return [index.tools[position] for position in selection.tools]


@every_strategy
@SETTINGS
@given(asked=requests())
def test_only_what_may_be_served_is_in_order_under_the_cap_and_never_nothing(
    strategy: Strategy, asked: Asked
) -> None:
    source, index, query, circumstances = asked
    query = replace(query, strategy=strategy)
    selection = select(query, index, circumstances)
    names = served(index, selection)
    allowed = allowed_names(source, query, circumstances)
    assert set(names) <= allowed
    assert list(selection.tools) == sorted(set(selection.tools), key=index.rank.__getitem__)
    outside = set(source["always_on"])
    for group in source["groups"]:
        outside |= set(group["tools"]) if group["name"] in query.open_groups else set()
    if selection.decided_by is not Strategy.ALL:
        assert len(set(names) - outside) <= selection.max_tools
    assert 0 <= selection.confidence <= 1
    reading = {tool["name"] for tool in source["tools"] if tool["side_effect"] == "read"}
    if source["default_tools"] and allowed & reading:
        assert names


@every_strategy
@SETTINGS
@given(asked=requests())
def test_equal_arguments_give_equal_selections(strategy: Strategy, asked: Asked) -> None:
    source, index, query, circumstances = asked
    query = replace(query, strategy=strategy)
    first = select(query, index, circumstances)
    again = hashed(source) if index.semantic else lexical(source)
    assert select(query, index, circumstances) == first
    assert select(query, again, circumstances) == first


@every_strategy
@SETTINGS
@given(asked=requests(), effect=EFFECTS)
def test_an_expansion_only_appends(strategy: Strategy, asked: Asked, effect: str) -> None:
    source, index, query, circumstances = asked
    selection = select(replace(query, strategy=strategy, open_groups=()), index, circumstances)
    offered = served(index, selection)
    for group in selection.requestable:
        added = expand(
            index, route=query.route, group=group, offered=offered, circumstances=circumstances
        )
        names = [index.tools[position] for position in added]
        assert not set(names) & set(offered)
        assert set(names) <= allowed_names(source, query, circumstances)
        offered += names
    assert len(offered) == len(set(offered))


@every_strategy
@SETTINGS
@given(asked=requests())
def test_an_inclusive_selection_serves_no_fewer(strategy: Strategy, asked: Asked) -> None:
    _, index, query, circumstances = asked
    query = replace(query, strategy=strategy, inclusive=False)
    circumstances = replace(circumstances, explore=False)
    narrow = select(query, index, circumstances)
    wide = select(replace(query, inclusive=True), index, circumstances)
    assert len(wide.tools) >= len(narrow.tools)


def test_a_move_that_the_machine_does_not_have_is_the_only_thing_that_raises() -> None:
    phases = [
        {"name": "p", "tools": ["check_stock"], "groups": [], "next": []},
        {"name": "q", "tools": ["settle_bill"], "groups": [], "next": []},
    ]
    query = Query(task="x", phase="q", strategy=Strategy.STATE_MACHINE)
    with pytest.raises(IllegalTransition):
        select(query, hashed(office(phases=phases)), Circumstances(came_from="p"))


TASKS = (
    "Reconcile the payment for order 88231 with yesterday's statement",
    "Issue the invoice and book the pickup",
    "find the failing tests, fix them and deploy the release",
    "where is my refund",
    "¿Qué pasa con el pedido? Emite la factura",
    "zzz",
)


def digests() -> Iterator[str]:
    """Give a hash of every selection of the samples, by every strategy."""
    for path in sorted(SAMPLES.glob("*.json")):
        index = hashed(json.loads(path.read_text()))
        for route in index.routes or (None,):
            for strategy in Strategy:
                for task in TASKS:
                    query = Query(task=task, strategy=strategy, route=route)
                    found = repr(select(query, index, Circumstances()))
                    yield hashlib.sha256(found.encode()).hexdigest()


def test_other_processes_give_the_same_answers() -> None:
    here = list(digests())
    script = (
        "from tests.routing.selection.test_properties_of_meaning import digests;"
        "print(*digests(), sep='\\n')"
    )
    for seed in ("1", "2"):
        told = subprocess.run(  # noqa: S603 - our own script
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=SAMPLES.parents[1],
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout.split() == here
    assert len(set(here)) > 20
