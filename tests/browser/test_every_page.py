"""Every page there is, found by its URL pattern, so that a new one cannot be forgotten.

A page may complain of nothing (see conftest), and has what page_faults.js asks for: one h1, targets
of htmx that exist, names and labels, icons, no sideways scroll on a phone. Its text can be read in
light and in dark (page_contrast.js).
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import Resolver404, URLPattern, get_resolver, resolve, reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog, CatalogVersion, ChannelRule, PendingImport
from catalog.roles import Role
from dashboard.demo import ADMINISTRATOR, prepare_demo
from dashboard.models import SavedView
from routing.circuits import close, open_by_hand, open_for_failures
from routing.models import ApiKey, Approval, Circuit, LookAlikeSearch, Preparation
from routing.redaction import Redactions
from routing.simulation import simulate
from tests.alerted import alerted
from tests.browser.conftest import Complaints
from tests.evaluated import evaluated
from tests.eventful import eventful_run
from tests.gated import checked
from tests.imports import waiting_import
from tests.learned import fitted
from tests.members import member

FAULTS = (Path(__file__).parent / "page_faults.js").read_text()
CONTRAST = (Path(__file__).parent / "page_contrast.js").read_text()
# As if the person had chosen a theme in another window.
TURN_TO = """(theme) => {
    localStorage.setItem("theme", theme);
    dispatchEvent(new StorageEvent("storage", { key: "theme" }));
}"""
# What leads away from here when somebody is signed in, without a catalog, when a job has ended,
# without a webhook, without filters to save, or where text is kept in full.
REDIRECTS = {
    "dashboard:sign_in",
    "dashboard:overview",
    "dashboard:set_language",
    "dashboard:preparation",
    "dashboard:look_alike_search",
    "dashboard:part_advice",
    "dashboard:part_look_alikes",
    "dashboard:webhook_secret",
    "dashboard:new_run_view",
    "dashboard:collection",
    "dashboard:stored_text",
}
DESKTOP, PHONE = (1280, 800), (375, 740)


def samples() -> dict[str, object]:
    """Return a value for each parameter of a path; a new parameter is given its value here."""
    key = ApiKey.objects.first()
    rule = ChannelRule.objects.filter(catalog__name="back-office").first()
    job = Preparation.objects.first()
    search = LookAlikeSearch.objects.first()
    circuit = Circuit.objects.first()
    approval = Approval.objects.filter(state="pending").first()
    person = User.objects.filter(is_superuser=False).first()
    pending = PendingImport.objects.filter(source="notes").first()
    file = PendingImport.objects.filter(format_name="version").first()
    view = SavedView.objects.first()
    office = Catalog.objects.filter(name="back-office").first()
    step = approval.run.spans.filter(name="tool_route").first() if approval else None
    return {
        "catalog": "back-office",
        "group": "billing",
        "tool": "find_payment",
        "flag": "enabled",
        "of": "tools",
        "topic": "confidence",
        "kind": "channel",
        "rule": rule.pk if rule else 0,
        "route": "support",
        "phase": "intake",
        "comment": 0,
        "number": 1,
        "label": "live",
        "file": file.uid if file else UUID(int=0),
        "key": key.pk if key else 0,
        "job": job.pk if job else 0,
        "search": search.pk if search else 0,
        "circuit": circuit.pk if circuit else 0,
        "alert": "fallbacks",
        **(
            evaluated(office)
            if office
            else {"dataset": "", "case": 0, "eval": 0, "before": 0, "after": 0, "collection": 0}
        ),
        **(fitted(office) if office else {"fit": 0, "release": 0}),
        "check": checked(office) if office else 0,
        "target": 0,
        "run": approval.run_id if approval else 0,
        "approval": approval.uid if approval else UUID(int=0),
        "view": view.pk if view else 0,
        "span": step.pk if step else 0,
        "person": person.pk if person else 0,
        "pending": pending.uid if pending else UUID(int=0),
        "uidb64": "MQ",
        "token": "set-password",
        "operation": UUID(int=0),
        "ending": "csv",
    }


def patterns() -> Iterator[tuple[str, set[str]]]:
    """Yield the name of each pattern of the two apps with pages, and its parameters."""
    for namespace, (_prefix, resolver) in sorted(get_resolver().namespace_dict.items()):
        if namespace in {"dashboard", "catalog"}:
            for pattern in resolver.url_patterns:
                assert isinstance(pattern, URLPattern), pattern
                assert pattern.name, f"{pattern} has no name"
                yield f"{namespace}:{pattern.name}", set(pattern.pattern.converters)


def pages(client: Client, values: dict[str, object]) -> dict[str, str]:
    """Return the paths of the pages whose parameters have a value, by the name of their pattern."""
    found = {}
    for name, parameters in patterns():
        if not parameters <= set(values):
            continue
        path = reverse(name, kwargs={parameter: values[parameter] for parameter in parameters})
        response = client.get(path)
        if response.status_code == 405 or (response.status_code == 302 and name in REDIRECTS):
            continue
        assert response.status_code == 200, f"{name} at {path} answers {response.status_code}"
        if not response.streaming and b"<!doctype html>" in response.content[:50]:
            found[name] = path
    return found


def faults_of(
    page: Page,
    complaints: Complaints,
    paths: dict[str, str],
    *,
    sizes: tuple[tuple[int, int], ...] = (PHONE,),
) -> list[str]:
    """Return what is wrong with some pages, each loaded once and then shown in every size."""
    page.emulate_media(reduced_motion="reduce")
    faults = []
    schemes = ["light", "dark"]
    for name, path in paths.items():
        _resize(page, sizes[0])
        page.goto(path)
        found = _dead_links(page)
        for size in sizes:
            _resize(page, size)
            seen = page.evaluate(FAULTS)
            for scheme in schemes:
                page.evaluate(TURN_TO, scheme)
                seen += [f"{scheme}: {pale}" for pale in page.evaluate(CONTRAST)]
            found += [f"at {size[0]} px: {fault}" for fault in seen]
            # To turn takes longest, and the next page begins with the theme of this one.
            schemes.reverse()
        faults += [f"{name}: {fault}" for fault in (*found, *complaints.seen)]
        complaints.seen.clear()
    return faults


def _resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def _dead_links(page: Page) -> list[str]:
    read = (
        "[...document.querySelectorAll('[href], [action], [hx-get], [hx-post]')].flatMap((e) =>"
        " ['href', 'action', 'hx-get', 'hx-post'].map((name) => e.getAttribute(name)))"
        ".filter((url) => url?.startsWith('/') && !url.startsWith('/static/'))"
    )
    dead = []
    for url in set(page.evaluate(read)):
        try:
            resolve(re.split(r"[?#]", url)[0])
        except Resolver404:
            dead.append(f"leads nowhere: {url}")
    return dead


def switch_off(catalog: Catalog, *, by: User, now: datetime) -> None:
    """Open circuits of each kind of opening, and close one."""
    for kind, target, until in (
        ("tool", "find_payment", now + timedelta(hours=1)),
        ("capability", "billing.read", None),
        ("tool", "check_stock", None),
    ):
        opened = open_by_hand(
            catalog=catalog,
            kind=kind,
            target=target,
            reason="It errs.",
            until=until,
            by=by,
            now=now,
        )
    close(catalog=catalog, pk=opened.pk, by=by, now=now)
    open_for_failures(
        catalog_id=catalog.pk, kind="tool", target="reserve_stock", reason="5 of 8.", now=now
    )


class TestWithTraffic:
    """The pages of a demonstration."""

    @pytest.fixture
    def user(self, transactional_db: None, tmp_path: Path) -> User:
        """Return the administrator."""
        now = timezone.now()  # pages show the days before the server's clock
        prepare_demo(folder=tmp_path, now=now, say=lambda line: None)
        simulate(tasks=100, until=now, say=lambda line: None)
        office = Catalog.objects.get(name="back-office")
        office.routes.create(name="support", side_effects=["read"])
        # A tool in no group, for which one is suggested.
        office.tools.create(name="list_returns", description="List what came back.", position=99)
        Catalog.objects.filter(pk=office.pk).update(
            redact_text=True, redactions=Redactions(ready=("email",)).dumps(), text_days=90
        )
        intake = office.phases.create(name="intake", initial=True)
        intake.next.add(office.phases.create(name="settling"), intake)
        eventful_run(
            Catalog.objects.get(name="back-office"),
            key=ApiKey.objects.all()[0],
            tool="settle_bill",
            now=now,
        )
        Preparation.objects.create(
            catalog=Catalog.objects.get(name="back-office"),
            kind=Preparation.Kind.PUBLISH,
            encoder="usem3",
            asked_at=now,
            finished_at=now,
        )
        LookAlikeSearch.objects.create(catalog=office, asked_at=now, finished_at=now)
        member(Catalog.objects.get(name="back-office"), Role.EDITOR)
        person = User.objects.get(username=ADMINISTRATOR)
        version = CatalogVersion.objects.filter(catalog__name="back-office")[0]
        PendingImport.objects.create(
            catalog=version.catalog,
            by=person,
            source="back-office@1.json",
            format_name="version",
            content=version.document,
            created_at=now,
        )
        Catalog.objects.create(name="old", title="An old one", archived=True)
        SavedView.objects.create(
            catalog=version.catalog,
            owner=person,
            name="Failed this week",
            query="outcome=failed&period=7d",
            shared=True,
            created_at=now,
        )
        switch_off(Catalog.objects.get(name="back-office"), by=person, now=now)
        alerted(office, now=now)
        waiting_import(Catalog.objects.get(name="back-office"), by=person)
        return person

    def test_no_page_has_a_fault(
        self,
        signed_in_page: Page,
        signed_in: Client,
        complaints: Complaints,
        live_server: LiveServer,
    ) -> None:
        paths = pages(signed_in, samples())
        assert {"catalog:groups", "catalog:tools", "dashboard:versions"} <= set(paths)
        # Its words are longer; the pages with nothing to show are tried in English.
        name = settings.LANGUAGE_COOKIE_NAME
        signed_in_page.context.add_cookies([{"name": name, "value": "pt", "url": live_server.url}])
        faults = faults_of(signed_in_page, complaints, paths, sizes=(PHONE, DESKTOP))
        expect(signed_in_page.locator("html")).to_have_attribute("lang", "pt")
        assert not faults, "\n".join(faults)


def test_the_documentation_of_the_api_keeps_the_policy(signed_in_page: Page) -> None:
    signed_in_page.goto(reverse("api:openapi-view"))
    expect(signed_in_page.get_by_text("/api/v1/selections", exact=True)).to_be_visible()


@pytest.mark.parametrize("path", ["/sign-in", "/no/such/page"])
def test_no_page_of_nobody_has_a_fault(
    clean_page: Page, complaints: Complaints, db: None, path: str
) -> None:
    complaints.expect_status(404)
    faults = faults_of(clean_page, complaints, {path: path}, sizes=(PHONE, DESKTOP))
    assert not faults, "\n".join(faults)


def test_every_parameter_has_a_sample(db: None) -> None:
    missing = {name for _, parameters in patterns() for name in parameters} - set(samples())
    assert not missing


class TestWithNothingToShow:
    """The same pages on the first day."""

    @pytest.fixture
    def user(self, transactional_db: None) -> User:
        """Return somebody who has found an empty database."""
        return User.objects.create_superuser("ana", password="a long password")

    def test_no_page_has_a_fault(
        self, signed_in_page: Page, signed_in: Client, complaints: Complaints
    ) -> None:
        faults = faults_of(signed_in_page, complaints, pages(signed_in, {}))
        Catalog.objects.create(name="empty", title="Empty")
        paths = pages(signed_in, {"catalog": "empty"})
        faults += faults_of(signed_in_page, complaints, paths)
        assert not faults, "\n".join(faults)
