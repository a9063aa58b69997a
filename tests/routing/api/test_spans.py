"""``POST /api/v1/spans``: what agents that select in their own process tell afterwards."""

import json
from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from catalog.models import Catalog
from routing.models import Run, Span, Text
from routing.spans import write_span
from tests.routing.api.test_selections import RECONCILE
from tests.routing.conftest import Agent
from tests.samples import NOW

WHEN = NOW.isoformat()


def route_span(**more: Any) -> dict[str, Any]:
    span = {
        "id": str(uuid4()),
        "name": "tool_route",
        "run_id": "r",
        "time": WHEN,
        "groups": ["billing"],
        "proposed_groups": ["billing"],
        "confidence": 0.9,
        "confidence_source": "shipped",
        "strategy": "auto",
        "decided_by": "embedding",
        "offered": ["find_payment", "settle_bill", "ask_user", "request_group"],
        "near_misses": [{"tool": "check_stock", "score": 0.2, "reason": "below_cut"}],
        "omitted_counts": {"below_cut": 27},
        "latency_us": 2900,
        "max_tools": 7,
        "task": RECONCILE,
    }
    return span | more


def expand_span(selection: dict[str, Any], **more: Any) -> dict[str, Any]:
    span = {
        "id": str(uuid4()),
        "name": "tool_route_expand",
        "run_id": selection["run_id"],
        "time": WHEN,
        "selection": selection["id"],
        "group": "stock",
        "groups": ["billing", "stock"],
        "offered": ["check_stock"],
        "reason": "The order may not have left.",
    }
    return span | more


def outcome_span(**more: Any) -> dict[str, Any]:
    span = {"id": str(uuid4()), "name": "outcome", "run_id": "r", "time": WHEN, "status": "solved"}
    return span | more


def tell(agent: Agent, *spans: Any, catalog: str = "back-office") -> Any:
    response = agent.post("/spans", {"catalog": catalog, "spans": list(spans)})
    assert response.status_code in (200, 201), response.content
    return response.json()


def why(answer: Any) -> list[tuple[int, str]]:
    return [(one["index"], error["path"]) for one in answer["refused"] for error in one["errors"]]


@pytest.mark.django_db
def test_a_run_that_happened_elsewhere_is_read_like_any_other(
    agent: Agent, back_office: Catalog
) -> None:
    selection, outcome = route_span(), outcome_span(stop_reason="end_turn")
    expansion = expand_span(selection)

    answer = tell(agent, selection, expansion, outcome)

    assert answer["taken"] == [selection["id"], expansion["id"], outcome["id"]]
    assert (answer["known"], answer["refused"]) == ([], [])
    run = agent.get("/runs/r").json()
    assert (run["source"], run["outcome"], run["catalog"]) == ("batch", "solved", "back-office@1")
    first, second, third = run["spans"]
    for name, value in selection.items():
        if name not in ("run_id", "time"):
            assert first[name] == value, name
    assert first["time"] == WHEN.replace("+00:00", "Z")
    assert {span["source"] for span in run["spans"]} == {"batch"}
    assert (second["selection"], second["group"], second["offered"], second["reason"]) == (
        selection["id"],
        "stock",
        ["check_stock"],
        "The order may not have left.",
    )
    assert (third["status"], third["stop_reason"]) == ("solved", "end_turn")


@pytest.mark.django_db
def test_tokens_that_are_not_told_are_counted(agent: Agent, back_office: Catalog) -> None:
    here = agent.select(RECONCILE, run_id="here")
    there = route_span(offered=here["tool_names"])
    told = route_span(tokens_selected=11, tokens_catalog=22)

    tell(agent, there, told, expand_span(told))

    counted, as_told, expansion = Span.objects.filter(source="batch").order_by("pk")
    assert counted.tokens_selected == here["tokens"]["selected"]
    assert counted.tokens_catalog == here["tokens"]["catalog"]
    assert (as_told.tokens_selected, as_told.tokens_catalog) == (11, 22)
    assert expansion.tokens_selected > 11


@pytest.mark.django_db
def test_what_is_sent_twice_is_stored_once(agent: Agent, back_office: Catalog) -> None:
    selection, outcome = route_span(), outcome_span()

    tell(agent, selection)
    again = tell(agent, selection, outcome, outcome)

    assert again["taken"] == [outcome["id"]]
    assert again["known"] == [selection["id"], outcome["id"]]
    assert Span.objects.count() == 2
    nothing_new = agent.post("/spans", {"catalog": "back-office", "spans": [outcome]})
    assert nothing_new.status_code == 200


@pytest.mark.django_db
def test_each_span_is_refused_for_itself_and_says_why(agent: Agent, back_office: Catalog) -> None:
    good = route_span()
    elsewhere = agent.select(RECONCILE, run_id="api")
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    other_run = route_span(run_id="other")
    bad = [
        ("a string", "body"),
        ({}, "name"),
        (route_span(name="tool_call"), "name"),
        (route_span(surplus=1), "surplus"),
        (route_span(id="7"), "id"),
        (route_span(time="2026-03-04T12:00:00"), "time"),
        (route_span(time=later), "time"),
        (route_span(confidence=1.1), "confidence"),
        (route_span(strategy="magic"), "strategy"),
        (route_span(task="\0"), "task"),
        (route_span(offered=["find_payment", "elsewhere"]), "offered[1]"),
        (route_span(groups=["elsewhere"]), "groups[0]"),
        (
            route_span(near_misses=[{"tool": "x", "score": 0, "reason": "below_cut"}]),
            "near_misses[0].tool",
        ),
        (route_span(phase="testing"), "phase"),
        (route_span(route="elsewhere"), "route"),
        (route_span(release=9), "release"),
        (route_span(run_id="api"), "run_id"),
        (route_span(id=elsewhere["id"]), "id"),
        (outcome_span(status="won"), "status"),
        (expand_span({"id": str(uuid4()), "run_id": "r"}), "selection"),
        (expand_span(other_run, run_id="r"), "selection"),
        (expand_span(good, group="elsewhere"), "group"),
    ]

    answer = tell(agent, good, other_run, *(span for span, _path in bad))

    assert answer["taken"] == [good["id"], other_run["id"]]
    assert why(answer) == [(index, path) for index, (_, path) in enumerate(bad, start=2)]
    assert all(error["message"] for one in answer["refused"] for error in one["errors"])
    assert Span.objects.filter(source="batch").count() == 2


@pytest.mark.django_db
def test_a_route_bounds_what_can_be_told(
    make_agent: Callable[..., Agent], refunds: Catalog
) -> None:
    agent = make_agent(routes=["order_status", "refund_investigation"])
    narrow = make_agent("narrow", routes=["order_status"])
    told = {"groups": [], "proposed_groups": [], "near_misses": [], "offered": ["read_order"]}

    def tell_of(who: Agent, **more: Any) -> list[tuple[int, str]]:
        return why(tell(who, route_span(**told | more), catalog="refunds"))

    assert tell_of(agent) == [(0, "route")]  # which one is open
    assert tell_of(agent, route="order_status", offered=["issue_refund"]) == [(0, "offered[0]")]
    assert tell_of(agent, route="order_status") == []
    assert tell_of(agent, route="refund_investigation") == [(0, "route")]  # the run keeps its route
    assert tell_of(narrow, route="refund_investigation") == [(0, "route")]
    assert tell_of(narrow) == []  # its one route
    assert Run.objects.get(key=narrow.key).route == "order_status"


@pytest.mark.django_db
def test_what_an_agent_says_it_offered_itself_lets_it_do_nothing_here(
    agent: Agent, back_office: Catalog
) -> None:
    selection = route_span()
    tell(agent, selection)
    path = f"/selections/{selection['id']}"

    assert agent.post(f"{path}/expansions", {"group": "stock"}).status_code == 404
    assert agent.post(f"{path}/reselections", {}).status_code == 404
    call = {"tool": "find_payment", "arguments": {}}
    assert agent.post(f"{path}/calls", call).status_code == 404
    # Nor can it say that more was offered in a selection of ours.
    ours = agent.select(RECONCILE, run_id="ours")
    assert why(tell(agent, expand_span(ours))) == [(0, "run_id")]


@pytest.mark.django_db
def test_words_are_kept_where_the_catalog_keeps_them(agent: Agent, back_office: Catalog) -> None:
    tell(agent, route_span())
    agent.delete("/runs/r/text")
    tell(agent, route_span())
    Catalog.objects.update(keep_text=False)
    tell(agent, route_span(run_id="other"))

    assert Span.objects.count() == 3
    assert not Text.objects.exists()


@pytest.mark.django_db
def test_a_batch_is_of_the_keys_own_catalogs_and_runs(
    make_agent: Callable[..., Agent], agent: Agent, back_office: Catalog
) -> None:
    span = route_span()
    sent = {"catalog": "back-office", "spans": [span]}
    tell(agent, span)

    assert make_agent("none", catalogs=[]).post("/spans", sent).status_code == 404
    assert make_agent("asks", actions=["select", "propose"]).post("/spans", sent).status_code == 403
    other = make_agent("other")
    assert why(tell(other, span)) == [(0, "id")]
    assert tell(other, route_span())["refused"] == []
    assert Run.objects.filter(run_id="r").count() == 2


@pytest.mark.django_db
def test_nobody_can_tell_that_a_selection_of_ours_offered_more(
    agent: Agent, back_office: Catalog
) -> None:
    tell(agent, route_span())
    ours = agent.select(RECONCILE, run_id="r", strategy="rules", max_tools=1)
    assert "check_stock" not in ours["tool_names"]

    for span in (expand_span(ours), outcome_span(selection=ours["id"])):
        assert why(tell(agent, span)) == [(0, "selection")]

    # Also where such a span were on record.
    selection = Span.objects.get(uid=ours["id"])
    write_span(
        run=selection.run,
        name=Span.Name.EXPAND,
        now=NOW,
        selection=selection,
        source="batch",
        offered=list(range(30)),
    )
    proposed = {"tool": "check_stock", "arguments": {}}
    answer = agent.post(f"/selections/{ours['id']}/calls", proposed).json()
    assert (answer["decision"], answer["reason"]) == ("refused", "tool_not_offered")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "said", "path"),
    [
        ("time", '"0001-01-01T00:00:00+14:00"', "time"),
        ("time", '"9999-12-31T23:59:59-14:00"', "time"),
        # Shown in a time zone west of Greenwich the first days of year 1 are before all years.
        ("time", '"0001-01-01T00:00:00Z"', "time"),
        ("time", '"1969-12-31T23:59:59Z"', "time"),
        # With what an expansion adds it would be more than a column takes.
        ("tokens_selected", "2147483647", "tokens_selected"),
        (
            "near_misses",
            '[{"tool": "check_stock", "score": 1e999, "reason": "below_cut"}]',
            "near_misses[0].score",
        ),
    ],
)
def test_what_no_database_holds_is_not_taken(
    agent: Agent, back_office: Catalog, name: str, said: str, path: str
) -> None:
    span = json.dumps(route_span(**{name: "@"})).replace('"@"', said)
    response = agent.post("/spans", f'{{"catalog": "back-office", "spans": [{span}]}}'.encode())

    assert response.status_code == 200
    assert why(response.json()) == [(0, path)]


@pytest.mark.django_db
def test_the_most_tokens_that_can_be_told_leave_room_for_expansions(
    agent: Agent, back_office: Catalog
) -> None:
    selection = route_span(tokens_selected=10**9)
    answer = tell(agent, selection, expand_span(selection))

    assert (len(answer["taken"]), answer["refused"]) == (2, [])
    assert 10**9 < Span.objects.get(name="tool_route_expand").tokens_selected < 2**31


@pytest.mark.django_db
@pytest.mark.parametrize("spans", [[], [{}] * 1001, {}, None])
def test_a_batch_holds_1_to_1000_spans(agent: Agent, back_office: Catalog, spans: Any) -> None:
    response = agent.post("/spans", {"catalog": "back-office", "spans": spans})

    assert response.status_code == 422
    assert response.json()["errors"][0]["path"] == "spans"


@pytest.mark.django_db
def test_a_thousand_spans_fit_into_a_request(agent: Agent, back_office: Catalog) -> None:
    spans = [route_span(run_id=f"r{n % 100}", task="Pay the bill") for n in range(1000)]
    assert len(json.dumps(spans)) < 1024 * 1024

    answer = tell(agent, *spans)

    assert len(answer["taken"]) == 1000
    assert Run.objects.filter(source="batch").count() == 100


@pytest.mark.django_db
def test_the_document_shows_what_a_span_is(agent: Agent) -> None:
    schemas = agent.get("/openapi.json").json()["components"]["schemas"]

    (items,) = [schemas["SpansIn"]["properties"]["spans"]["items"]]
    shown = {one["$ref"].rpartition("/")[2] for one in items["anyOf"]}
    assert shown == {"RouteSpanIn", "ExpandSpanIn", "OutcomeSpanIn"}
    assert "near_misses" in schemas["RouteSpanIn"]["properties"]


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_is_sent_many_times_at_once_is_stored_once(
    agent: Agent, back_office: Catalog
) -> None:
    agent.select("warm the release")
    spans = [route_span(run_id=f"run{n}") for n in range(20)]
    barrier, answers = Barrier(4), list[Any]()

    def send() -> None:
        barrier.wait()
        answers.append(tell(agent, *spans))
        connection.close()

    threads = [Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(len(answer["taken"]) for answer in answers) == 20
    assert sum(len(answer["known"]) for answer in answers) == 60
    assert Span.objects.filter(source="batch").count() == 20
