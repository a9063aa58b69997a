"""Bad input gets the right status and a problem document, never a 500."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from routing.keys import revoke_key
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def body(**fields: object) -> bytes:
    return json.dumps({"catalog": "back-office", "task": "Pay the bill", **fields}).encode()


BAD = {
    "malformed JSON": (b'{"catalog": ', 400, None),
    "no UTF-8": (b'{"catalog": "\xff"}', 400, None),
    "nested 5,000 deep": (body(history=None)[:-1] + b', "x": ' + b"[" * 5000, 400, None),
    "nested and closed": (b"[" * 101 + b"]" * 101, 400, None),
    "not a number": (b'{"task": NaN}', 400, None),
    "an endless number": (b'{"task": ' + b"1" * 5000 + b"}", 400, None),
    "an unclosed string of quotes": (b"[" * 101 + b'"' + b'\\"' * 400_000, 400, None),
    "an unclosed string of backslashes": (b"[]" * 60 + b'"' + b"\\" * 999_999, 400, None),
    "unclosed strings over and over": (b"[]" * 60 + (b'"' + b"\\" * 9) * 90_000, 400, None),
    "nested deeper behind a string": (b'{"\\\\": "\\"", "x": ' + b"[" * 101, 400, None),
    "2 MiB": (body(task="a" * 2 * 1024 * 1024), 413, None),
    "5 MiB": (body(task="a" * 5 * 1024 * 1024), 413, None),
    "a list": (b"[]", 422, "body"),
    "nothing": (b"", 422, "body"),
    "an unknown field": (body(tasks="x"), 422, "tasks"),
    "no catalog": (b'{"task": "x"}', 422, "catalog"),
    "a blank task": (body(task=" \n\t"), 422, "task"),
    "a task of 200,001 characters": (body(task="a" * 200_001), 422, "task"),
    "a long task with a long history": (
        body(task="a" * 150_000, history=["b" * 60_000]),
        422,
        "body",
    ),
    "a null byte": (body(task="a\0b"), 422, "task"),
    "a lone surrogate": (b'{"catalog": "back-office", "task": "\\ud800"}', 422, "task"),
    "a lone surrogate in a part of a message": (
        body(history=[{"role": "user", "content": [{"type": "text", "text": "a\ud800"}]}]),
        422,
        "history[0].content[0].text",
    ),
    "a lone surrogate in a role": (
        body(history=[{"role": "\udfff", "content": "x"}]),
        422,
        "history[0].role",
    ),
    "a lone surrogate in a channel": (
        body(channel={"kind": "queue", "value": "\ud800"}),
        422,
        "channel.value",
    ),
    "a null byte in the catalog": (body(catalog="a\0b"), 422, "catalog"),
    "a catalog's name in capitals": (body(catalog="Back-Office"), 422, "catalog"),
    "version 0": (body(catalog="back-office@0"), 422, "catalog"),
    "a number for a text": (body(task=7), 422, "task"),
    "a text for a number": (body(max_tools="7"), 422, "max_tools"),
    "a cap of 0": (body(max_tools=0), 422, "max_tools"),
    "a cap of 51": (body(max_tools=51), 422, "max_tools"),
    "an unknown strategy": (body(strategy="magic"), 422, "strategy"),
    "an unknown format": (body(format="xml"), 422, "format"),
    "an unknown phase": (body(phase="testing"), 422, "phase"),
    "an unknown route": (body(route="elsewhere"), 422, "route"),
    "an unknown open group": (body(open_groups=["elsewhere"]), 422, "open_groups"),
    "a bad run id": (body(run_id="a b"), 422, "run_id"),
    "201 messages": (body(history=["x"] * 201), 422, "history"),
    "a bad message": (body(history=["x", {"content": "y"}]), 422, "history[1].role"),
    "an unknown catalog": (body(catalog="elsewhere"), 404, None),
    "an unknown version": (body(catalog="back-office@9"), 404, None),
    "an unknown label": (body(catalog="back-office@staging"), 404, None),
}


def test_brackets_in_strings_are_no_nesting(agent: Agent, back_office: Catalog) -> None:
    task = 'pay "' + "[" * 200 + '\\" ' + "{" * 200

    assert agent.select(task)["tool_names"]


@pytest.mark.parametrize(("sent", "status", "path"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(
    agent: Agent, back_office: Catalog, sent: bytes, status: int, path: str | None
) -> None:
    response = agent.post("/selections", sent)

    assert response.status_code == status, response.content[:500]
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["type"].startswith("/problems/")
    assert problem["detail"]
    if path is not None:
        assert path in [error["path"] for error in problem["errors"]]


GOOD = {
    "100,000 characters": "pay the bill " * 7_692,
    "right to left": "سدد الفاتورة من فضلك",
    "emoji": "💸 pay the bill 🧾👩🏽‍💼",
    "control characters": "pay\u0001 the \u202ebill\u0007",
    "one character": "?",
    "digits": "88231",
}


@pytest.mark.parametrize("task", GOOD.values(), ids=GOOD)
def test_odd_tasks_are_answered(agent: Agent, back_office: Catalog, task: str) -> None:
    assert agent.select(task)["tool_names"]


def test_all_errors_are_told_at_once(agent: Agent) -> None:
    response = agent.post("/selections", {"catalog": 1, "task": "", "max_tools": 99, "x": 1})

    assert {error["path"] for error in response.json()["errors"]} == {
        "catalog",
        "task",
        "max_tools",
        "x",
    }


def test_so_many_errors_are_counted_and_not_all_listed(agent: Agent) -> None:
    response = agent.post("/selections", {f"field_{i}": 1 for i in range(5000)})

    assert response.json()["detail"] == "5002 things are wrong with the request."
    assert len(response.json()["errors"]) == 1000


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer wrong", "Basic YTpi", "tc_x"])
def test_a_good_key_is_needed(back_office: Catalog, header: str | None) -> None:
    headers = {"Authorization": header} if header else {}
    response = Client().post(
        "/api/v1/selections", body(), content_type="application/json", headers=headers
    )

    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"
    assert response["WWW-Authenticate"] == "Bearer"


def test_ended_keys_are_no_keys(back_office: Catalog, make_agent: Callable[..., Agent]) -> None:
    expired = make_agent(expires_at=timezone.now() - timedelta(seconds=1))
    revoked = make_agent()
    revoke_key(key=revoked.key, now=timezone.now())

    assert expired.post("/selections", body()).status_code == 401
    assert revoked.post("/selections", body()).status_code == 401


def test_an_action_must_be_granted(back_office: Catalog, make_agent: Callable[..., Agent]) -> None:
    reader = make_agent(actions=["read"])

    assert reader.post("/selections", body()).status_code == 403
    assert reader.get("/catalogs/back-office").status_code == 200


def test_other_catalogs_do_not_exist_for_a_key(
    back_office: Catalog, dev_agent: Catalog, make_agent: Callable[..., Agent]
) -> None:
    agent = make_agent(catalogs=[dev_agent])

    assert agent.post("/selections", body()).status_code == 404
    assert agent.get("/catalogs/back-office/document").status_code == 404
    assert [row["name"] for row in agent.get("/catalogs").json()["catalogs"]] == ["dev-agent"]


def test_nothing_is_written_of_a_refused_request(agent: Agent, back_office: Catalog) -> None:
    from routing.models import Run

    for sent, _status, _path in BAD.values():
        agent.post("/selections", sent)

    assert not Run.objects.exists()


def test_unforeseen_faults_are_a_problem_document(
    agent: Agent, back_office: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_arguments: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("routing.api.selections.select_tools", fail)
    response = agent.post("/selections", body())

    assert response.status_code == 500
    assert response["Content-Type"] == "application/problem+json"
    assert b"secret" not in response.content


@pytest.mark.parametrize(
    "path", ["", "/", "/nowhere", "/selections", "/runs/none", "/catalogs/a b"]
)
def test_wrong_addresses_are_problem_documents(agent: Agent, path: str) -> None:
    response = agent.get(path)

    assert response.status_code in {404, 405, 422}
    assert response["Content-Type"] == "application/problem+json"


def test_no_run_has_a_null_byte_in_its_id(agent: Agent) -> None:
    assert agent.get("/runs/a%00b").status_code == 404
    assert agent.post("/runs/a%00b/outcome", {"status": "solved"}).status_code == 404
