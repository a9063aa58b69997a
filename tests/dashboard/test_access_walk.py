"""Every page, asked for and sent to with every role; a page without a rule here fails.

Requests carry what makes a page answer, and nothing that it needs to be content: what counts is
whether the person is let through.
"""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from catalog.models import Catalog, Comment, KeywordRule, Phase
from catalog.roles import Role
from dashboard.middleware import PROGRAM_PATHS
from dashboard.models import AlertTarget, SavedView
from routing.circuits import open_by_hand
from routing.keys import make_key
from routing.models import ApiKey, Approval, Circuit, LookAlikeSearch, Preparation, Run, Span
from routing.releases import move_label
from tests.dashboard.access_rules import PERSONS, RULES, SENT
from tests.evaluated import evaluated
from tests.eventful import eventful_run
from tests.gated import checked
from tests.imports import waiting_import
from tests.learned import fitted
from tests.members import client_of, member
from tests.samples import published


def patterns() -> Iterator[tuple[str, set[str]]]:
    """Yield the name and the parameters of every pattern but those that programs ask."""
    for namespace, (_prefix, resolver) in get_resolver().namespace_dict.items():
        if not namespace.startswith("api"):
            for pattern in resolver.url_patterns:
                assert isinstance(pattern, URLPattern), pattern
                yield f"{namespace}:{pattern.name}", set(pattern.pattern.converters)


@pytest.fixture
def catalog(db: None, settings: Any) -> Catalog:
    """Return a published catalog with a job, a key, a circuit and a run of its own."""
    settings.ENCODER = "none"
    catalog, now = published("refunds"), timezone.now()
    made = make_key(name="agent", now=now, catalogs=[catalog])
    eventful_run(catalog, key=made.key, tool="issue_refund", now=now)
    move_label(catalog=catalog, label="staging", version=1, by=None, reason="", base=None, now=now)
    open_by_hand(
        catalog=catalog,
        kind="tool",
        target="read_order",
        reason="It errs.",
        until=None,
        by=None,
        now=now,
    )
    Preparation.objects.create(
        catalog=catalog,
        kind=Preparation.Kind.PUBLISH,
        encoder="none",
        asked_at=now,
        finished_at=now,
    )
    return catalog


def ruled() -> Iterator[tuple[str, set[str]]]:
    """Yield the patterns that have a rule; the first test tells of any other."""
    return ((name, parameters) for name, parameters in patterns() if name in RULES)


def samples(catalog: Catalog) -> dict[str, object]:
    """Return a value for each parameter of a path; a new parameter is given its value here."""
    return {
        "catalog": catalog.name,
        "group": "orders",
        "tool": "read_order",
        "flag": "enabled",
        "of": "tools",
        "topic": "confidence",
        "kind": "keyword",
        "rule": KeywordRule.objects.get_or_create(catalog=catalog, pattern="refund")[0].pk,
        "route": "order_status",
        "comment": Comment.objects.get_or_create(
            catalog=catalog, text="Too long?", defaults={"at": timezone.now()}
        )[0].pk,
        "phase": Phase.objects.get_or_create(catalog=catalog, name="intake")[0].name,
        "number": 1,
        "label": "staging",
        "file": uuid4(),
        "key": ApiKey.objects.get().pk,
        "job": Preparation.objects.get().pk,
        "search": LookAlikeSearch.objects.get_or_create(
            catalog=catalog, defaults={"asked_at": timezone.now(), "finished_at": timezone.now()}
        )[0].pk,
        "pending": waiting_import(catalog, by=member(catalog, Role.EDITOR, name="joan")).uid,
        "circuit": Circuit.objects.get().pk,
        "alert": "fallbacks",
        **evaluated(catalog),
        **fitted(catalog),
        "check": checked(catalog),
        "target": AlertTarget.objects.get_or_create(
            catalog=catalog, kind="webhook", address="https://example.com/", secret="s"
        )[0].pk,
        "run": Run.objects.get(case_id="").pk,
        "span": Span.objects.get(name="tool_route", run__case_id="").pk,
        "view": _shared_view(catalog),
        "approval": Approval.objects.get(state="pending").uid,
        "person": member(catalog, Role.VIEWER, name="ida").pk,
        "uidb64": "MQ",
        "token": "set-password",
        "operation": uuid4(),
        "ending": "csv",
    }


def _shared_view(catalog: Catalog) -> int:
    owner = member(catalog, Role.EDITOR, name="joe")
    view, _new = SavedView.objects.get_or_create(
        catalog=catalog,
        owner=owner,
        defaults={
            "name": "Failed",
            "query": "outcome=failed",
            "shared": True,
            "created_at": timezone.now(),
        },
    )
    return view.pk


def answer_of(person: User, method: str, name: str, values: dict[str, object]) -> int:
    """Return the status of a request, and undo what it did."""
    with transaction.atomic():
        client, path = client_of(person), reverse(name, kwargs=values)
        response = client.get(path) if method == "GET" else client.post(path, SENT.get(name))
        transaction.set_rollback(True)
    return response.status_code


def test_every_page_has_a_rule_and_every_rule_a_page() -> None:
    assert {name for name, _parameters in patterns()} == set(RULES)


def test_only_programs_ask_for_what_has_no_rule() -> None:
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLResolver) and pattern.namespace in {"dashboard", "catalog"}:
            continue
        assert isinstance(pattern, URLResolver)
        for one in pattern.url_patterns:
            path = "/" + str(one.pattern).lstrip("^")
            assert path.startswith(PROGRAM_PATHS), f"{path} is a page without a rule"


@pytest.mark.parametrize("person", PERSONS)
def test_every_page_asks_for_its_role(catalog: Catalog, person: str) -> None:
    role = PERSONS[person]
    root = person == "superuser"
    given = None if role is None or root else Role(role)
    somebody = User.objects.create_superuser("root") if root else member(catalog, given)
    values, wrong = samples(catalog), []
    for name, parameters in ruled():
        own = {parameter: values[parameter] for parameter in parameters}
        for method, asked in zip(("GET", "POST"), RULES[name], strict=True):
            status = answer_of(somebody, method, name, own)
            if status != asked.status_for(role):
                wrong.append(f"{method} {name}: {status}, not {asked.status_for(role)}")
    assert not wrong, "\n".join(wrong)


def test_nobody_gets_anywhere_without_signing_in(client: Client, catalog: Catalog) -> None:
    values = samples(catalog)
    for name, parameters in ruled():
        if name in {"dashboard:sign_in", "dashboard:set_language", "dashboard:set_password"}:
            continue
        path = reverse(name, kwargs={parameter: values[parameter] for parameter in parameters})
        for response in (client.get(path), client.post(path)):
            leads_away = response.status_code == 302 and response["Location"].startswith("/sign-in")
            assert leads_away or response.status_code == 405, name
