"""The page of the webhook: an address, and a secret that is shown once."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from catalog.models import Catalog
from routing.models import Webhook
from routing.working import beat, worker_name
from tests.drafts import empty_catalog

PAGE = "/catalogs/desk/approvals/webhook"
SECRET = re.compile(r"tcw_[A-Za-z0-9_-]{43}")


@pytest.fixture
def desk(db: None) -> Catalog:
    return empty_catalog("desk")


def save(client: Client, url: str = "https://example.com/hook?team=1") -> Any:
    return client.post(PAGE, {"url": url})


def test_the_secret_is_shown_once(signed_in: Client, desk: Catalog) -> None:
    answer = save(signed_in)
    one = Webhook.objects.get()
    assert set(SECRET.findall(answer.text)) == {one.secret}
    assert "no-store" in answer["Cache-Control"]
    assert one.url == "https://example.com/hook?team=1"

    assert not SECRET.search(signed_in.get(PAGE).text)
    again = save(signed_in, "https://example.com/other")
    assert again.status_code == 302
    one.refresh_from_db()
    assert one.url == "https://example.com/other"


def test_another_secret_is_made_after_asking(signed_in: Client, desk: Catalog) -> None:
    save(signed_in)
    before = Webhook.objects.get().secret
    assert not SECRET.search(signed_in.get(f"{PAGE}/secret").text)
    assert Webhook.objects.get().secret == before

    answer = signed_in.post(f"{PAGE}/secret")

    after = Webhook.objects.get().secret
    assert after != before
    assert set(SECRET.findall(answer.text)) == {after}


@pytest.mark.parametrize(
    "url", ["", "ftp://example.com", "https://me:pw@example.com/", "hook", "https://a.example/#x"]
)
def test_what_is_no_address_is_refused(signed_in: Client, desk: Catalog, url: str) -> None:
    assert save(signed_in, url).status_code == 422
    assert not Webhook.objects.exists()


def test_a_test_is_the_workers_to_send(signed_in: Client, desk: Catalog) -> None:
    save(signed_in)
    page = signed_in.post(f"{PAGE}/try", follow=True).text
    assert "which is not running" in page
    beat(name=worker_name(), now=timezone.now())
    page = signed_in.post(f"{PAGE}/try", follow=True).text
    assert "The worker sends a test now." in page
    paths = DBTaskResult.objects.values_list("task_path", flat=True)
    assert list(paths) == ["routing.jobs.try_webhook"] * 2


def test_the_last_error_is_shown_escaped(signed_in: Client, desk: Catalog) -> None:
    save(signed_in)
    assert "Nothing was sent yet." in signed_in.get(PAGE).text
    Webhook.objects.update(last_at=timezone.now(), last_error="The address <answered> 500.")
    assert "The address &lt;answered&gt; 500." in signed_in.get(PAGE).text


def test_it_can_be_removed(signed_in: Client, desk: Catalog) -> None:
    save(signed_in)
    assert signed_in.post(f"{PAGE}/remove").status_code == 302
    assert not Webhook.objects.exists()
    assert signed_in.post(f"{PAGE}/try").status_code == 404
    assert signed_in.post(f"{PAGE}/secret")["Location"] == PAGE
    assert not Webhook.objects.exists()
