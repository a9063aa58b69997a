"""Start: each step as the catalog has it, from nothing to the first selection."""

import json
import re
import shlex
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from dashboard.curl import first_selection
from routing.keys import make_key
from routing.models import ApiKey, Preparation
from tests.drafts import draft_of, empty_catalog
from tests.members import client_of, member
from tests.samples import published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _words_only(settings: Any) -> None:
    settings.ENCODER = "none"


def page(name: str) -> str:
    return f"/catalogs/{name}/start"


def current(text: str) -> str | None:
    found = re.search(r'id="step-(\w+)" aria-current="step"', text)
    return found[1] if found else None


def done(text: str) -> list[str]:
    return re.findall(r'start-done" id="step-(\w+)"', text)


def ask(client: Client, command: str) -> Any:
    """Send what a shell would send for a command of curl."""
    words = shlex.split(command)
    assert words[:2] == ["curl", "-sS"]
    key = next(word for word in words if word.startswith("Authorization: "))
    return client.post(
        words[2],
        json.loads(words[-1]),
        content_type="application/json",
        headers={"Authorization": key.partition(": ")[2]},
    )


def command_of(text: str) -> str:
    found = re.findall(r"<code>(curl [^<]*)</code>", text)
    return unescape(str(found[-1]))


class TestWithoutACatalog:
    def test_whoever_may_make_one_lands_on_start(self, signed_in: Client) -> None:
        answer = signed_in.get("/", follow=True)
        assert answer.redirect_chain == [("/start", 302)]
        assert '<form method="post" novalidate' in answer.text
        assert "manage.py demo --no-serve" in answer.text

    def test_who_may_not_is_told_how_to_become_a_member(self, db: None) -> None:
        client = client_of(User.objects.create_user("eva"))
        for path in ("/", "/start"):
            text = client.get(path).text
            assert "manage.py member CATALOG eva viewer" in text
            assert '<form method="post" novalidate' not in text

    def test_making_one_goes_on_with_its_tools(self, signed_in: Client) -> None:
        form = {"name": "shop", "title": "Shop agent"}
        answer = signed_in.post("/start", form, follow=True)
        assert answer.redirect_chain == [(page("shop"), 302)]
        assert current(answer.text) == "tools"

    def test_what_was_begun_is_gone_on_with(self, signed_in: Client) -> None:
        empty_catalog("shop")
        published("refunds")
        text = signed_in.get("/start").text
        assert 'href="/catalogs/shop/start"' in text
        assert 'href="/catalogs/refunds/start"' not in text

    def test_a_viewer_reads_that_they_may_make_none(self, db: None) -> None:
        client = client_of(member(empty_catalog("shop"), Role.VIEWER))
        assert "you need the role “editor” in one first" in client.get("/start").text


class TestSteps:
    def test_they_follow_what_there_is(self, signed_in: Client) -> None:
        catalog = empty_catalog("shop")

        def at() -> tuple[str | None, int]:
            text = signed_in.get(page("shop")).text
            return current(text), len(done(text))

        assert at() == ("tools", 1)
        tool = catalog.tools.create(name="find_order", description="Find one order.")
        assert at() == ("groups", 2)
        group = catalog.groups.create(name="orders", description="Use to find orders.")
        group.memberships.create(tool=tool)
        assert at() == ("publish", 4)
        tool.side_effect, tool.always_on = "write", True
        tool.save()
        assert at() == ("health", 3)
        tool.side_effect, tool.always_on = "read", False
        tool.save()
        assert at() == ("publish", 4)

    def test_only_the_next_step_is_open(self, signed_in: Client) -> None:
        draft_of("refunds")
        text = signed_in.get(page("refunds")).text
        assert "Publish the first version</button>" in text
        assert "Make the key" not in text
        assert "curl" not in text

    def test_an_error_is_mended_here(self, signed_in: Client) -> None:
        catalog = draft_of("refunds")
        catalog.tools.filter(name="issue_refund").update(always_on=True)
        text = signed_in.get(page("refunds")).text
        assert current(text) == "health"
        key = re.search(r'name="finding" value="([^"]+)"', text)
        assert key
        form = {"finding": unescape(key[1]), "next": page("refunds")}
        answer = signed_in.post("/catalogs/refunds/health/mend", form)
        assert answer["Location"] == page("refunds")
        assert current(signed_in.get(page("refunds")).text) == "publish"

    def test_publishing_comes_back(self, signed_in: Client) -> None:
        draft_of("refunds")
        text = signed_in.get(page("refunds")).text
        form = dict(re.findall(r'name="(base|reviewed)"(?: value="([^"]*)")?', text))
        note = {"note": "First", "next": page("refunds")}
        answer = signed_in.post("/catalogs/refunds/versions", {**form, **note})
        assert answer["Location"] == page("refunds")
        text = signed_in.get(page("refunds")).text
        assert "refunds@1 is live" in text
        assert current(text) == "key"

    def test_new_warnings_ask_for_a_reason_in_ones_own_words(self, signed_in: Client) -> None:
        catalog = draft_of("refunds")
        catalog.tools.create(name="ping", position=9)
        text = signed_in.get(page("refunds")).text
        assert "asks for a reason" in text or "ask for a reason" in text
        assert "First version</textarea>" not in text

    def test_a_publish_under_way_is_said(self, signed_in: Client) -> None:
        Preparation.objects.create(
            catalog=draft_of("refunds"),
            kind=Preparation.Kind.PUBLISH,
            encoder="none",
            asked_at=timezone.now(),
        )
        assert "being published by the background worker" in signed_in.get(page("refunds")).text

    @pytest.mark.parametrize(
        ("made", "step"),
        [({}, "selection"), ({"actions": ["read"]}, "key"), ({"expires_at": True}, "key")],
    )
    def test_a_key_counts_that_may_ask(
        self, signed_in: Client, made: dict[str, Any], step: str
    ) -> None:
        catalog, now = published("refunds"), timezone.now()
        if "expires_at" in made:
            made = {"expires_at": now}
        make_key(name="agent", now=now, catalogs=[catalog], **made)
        assert current(signed_in.get(page("refunds")).text) == step

    @pytest.mark.parametrize(
        ("build", "button"),
        [
            (empty_catalog, "Look at what is in it"),
            (draft_of, "Publish the first version</button>"),
            (published, "Make the key"),
        ],
    )
    def test_a_viewer_reads_what_is_next_and_cannot_do_it(self, build: Any, button: str) -> None:
        catalog = build("refunds")
        text = client_of(member(catalog, Role.VIEWER)).get(page("refunds")).text
        assert "yours is “viewer”" in text
        assert button not in text

    def test_it_is_in_the_menu_until_a_version_is_live(self, signed_in: Client) -> None:
        draft_of("refunds")
        entry = '<a class="nav-link" href="/catalogs/refunds/start"'
        assert entry in signed_in.get("/catalogs/refunds/tools").text
        published("dev-agent")
        assert "/start" not in signed_in.get("/catalogs/dev-agent/tools").text


class TestFirstSelection:
    @pytest.fixture
    def catalog(self, db: None) -> Catalog:
        return published("dev-agent")

    def test_the_key_comes_with_a_command_that_works(
        self, signed_in: Client, client: Client, catalog: Catalog
    ) -> None:
        waiting = f"{page('dev-agent')}/waiting"
        assert 'hx-trigger="every 2s"' in signed_in.get(waiting).text
        text = signed_in.post(f"{page('dev-agent')}/key").text
        key = ApiKey.objects.get()
        assert (list(key.catalogs.all()), key.all_catalogs) == ([catalog], False)
        assert set(key.actions) == {"select", "propose", "read"}
        answer = ask(Client(), command_of(text))
        assert answer.status_code == 201, answer.text
        seen = signed_in.get(waiting).text
        assert "The first selection is served." in seen
        assert "hx-get" not in seen
        offered = {tool["name"] for tool in answer.json()["tools"]} - {"request_group"}
        assert offered
        assert all(name in seen for name in offered)
        text = signed_in.get(page("dev-agent")).text
        assert (current(text), len(done(text))) == (None, 7)
        assert key.prefix not in text

    def test_the_page_has_a_command_with_the_key_left_open(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        made = make_key(name="agent", now=timezone.now(), catalogs=[catalog])
        command = command_of(signed_in.get(page("dev-agent")).text)
        assert '"catalog": "dev-agent"' in command
        assert ask(Client(), command.replace("$KEY", made.token)).status_code == 201

    def test_the_answer_with_a_token_is_kept_by_nobody(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        answer = signed_in.post(f"{page('dev-agent')}/key")
        assert "no-store" in answer["Cache-Control"]

    @pytest.mark.parametrize(
        ("description", "task"),
        [
            ("Find one incoming payment. Many words follow.", "Find one incoming payment"),
            ("", "read order"),
            ("What? " * 90, "read order"),
        ],
    )
    def test_a_task_is_made_of_a_tool_where_no_group_has_an_example(
        self, signed_in: Client, description: str, task: str
    ) -> None:
        document = {
            "catalog": "shop",
            "groups": [{"examples": [], "tools": ["read_order"]}],
            "tools": [{"name": "read_order", "description": description}],
            "routes": [],
        }
        command = first_selection(document=document, url="http://testserver/")
        assert f'"task": "{task}"' in command


def test_a_catalog_that_is_asked_for_twice_at_once_is_made_once(
    signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_catalog("shop")
    monkeypatch.setattr(Catalog, "validate_unique", lambda *_args, **_more: None)
    monkeypatch.setattr(Catalog, "validate_constraints", lambda *_args, **_more: None)
    told = signed_in.post("/start", {"name": "shop", "title": "Sent twice"})
    assert told.status_code == 422
    assert "There is a catalog of this name already." in told.text
    assert Catalog.objects.get().title == "Shop"
