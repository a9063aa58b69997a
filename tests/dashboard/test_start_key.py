"""Start beside a key of every catalog, such as that of the demo: it is no agent's of this one."""

import re
import shlex
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalog.roles import Role
from routing.keys import make_key
from tests.members import client_of, member
from tests.samples import published

pytestmark = pytest.mark.django_db
PAGE = "/catalogs/refunds/start"


@pytest.fixture(autouse=True)
def _words_only(settings: Any) -> None:
    settings.ENCODER = "none"


def test_a_key_of_every_catalog_leaves_the_step_open_and_may_be_used(client: Client) -> None:
    published("refunds")
    token = make_key(name="demo", now=timezone.now(), catalogs=None).token
    client.force_login(User.objects.create_superuser("root"))
    text = client.get(PAGE).text
    assert re.search(r'id="step-key" aria-current="step"', text)
    assert "Or put the key “demo”, which reaches every catalog, into KEY" in text
    assert "<code>curl " in text
    command = shlex.split(unescape(re.findall(r"<code>(curl [^<]*)</code>", text)[-1]))
    asked = client.post(
        command[2],
        command[-1],
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert asked.status_code == 201
    text = client.get(PAGE).text
    assert 'start-done" id="step-key"' in text
    assert "A key that reaches this catalog" in text


def test_who_sees_no_keys_of_every_catalog_is_told_of_none(db: None) -> None:
    catalog = published("refunds")
    make_key(name="demo", now=timezone.now(), catalogs=None)
    text = client_of(member(catalog, Role.ADMINISTRATOR)).get(PAGE).text
    assert "Make the key</button>" in text
    assert "demo" not in text


def test_the_menu_keeps_start_while_one_is_on_it(signed_in: Client) -> None:
    published("refunds")
    assert '<a class="nav-link" href="/catalogs/refunds/start"' in signed_in.get(PAGE).text
    assert 'href="/catalogs/refunds/start"' not in signed_in.get("/catalogs/refunds/tools").text
