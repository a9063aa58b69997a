"""Import: nothing is written before it was looked at, and what is done is said."""

import io
import json
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import AuditEntry, Catalog, PendingImport, Tool
from catalog.roles import Role
from tests.catalog.reading.made import mcp_tool
from tests.members import client_of, member
from tests.routing.outgoing.servers import serving
from tests.routing.sources.servers import mcp_server, send, tool

pytestmark = pytest.mark.django_db


@pytest.fixture
def catalog() -> Catalog:
    return Catalog.objects.create(name="shop", title="Shop")


@pytest.fixture
def editor(catalog: Catalog) -> Client:
    return client_of(member(catalog, Role.EDITOR))


def page(catalog: Catalog) -> str:
    return reverse("dashboard:import_tools", args=[catalog.name])


def looked_at(client: Client, catalog: Catalog, **sent: Any) -> Any:
    """Send a form and return the page that it leads to."""
    response = client.post(page(catalog), sent)
    assert response.status_code == 302, response.content.decode()
    return client.get(response["Location"])


def import_it(client: Client, shown: Any, **ticked: Any) -> Any:
    reviewed = shown.context["preview"].fingerprint
    return client.post(shown.request["PATH_INFO"], {"reviewed": reviewed, **ticked}, follow=True)


def pasted(*tools: dict[str, Any]) -> str:
    return json.dumps({"tools": tools})


def test_pasted_tools_are_shown_and_then_imported(editor: Client, catalog: Catalog) -> None:
    shown = looked_at(editor, catalog, text=pasted(mcp_tool("find")), group="search")

    assert "find" in shown.content.decode()
    assert not catalog.tools.exists()
    done = import_it(editor, shown)
    assert "Import of “pasted”: 1 added." in done.content.decode()
    assert list(catalog.groups.get().tools.all()) == [catalog.tools.get()]
    assert AuditEntry.objects.filter(action="import").exists()
    assert not PendingImport.objects.exists()


def test_a_file_is_the_source_that_it_is_called(editor: Client, catalog: Catalog) -> None:
    file = io.BytesIO(pasted(mcp_tool("find")).encode())
    file.name = "github.json"

    shown = looked_at(editor, catalog, file=file)
    import_it(editor, shown)

    assert catalog.tools.get().origin.source == "github.json"


def test_what_is_ticked_is_done_and_the_rest_is_not(editor: Client, catalog: Catalog) -> None:
    names = ("mine", "theirs", "gone", "stays", "deleted")
    first = looked_at(editor, catalog, text=pasted(*(mcp_tool(name) for name in names)))
    import_it(editor, first)
    catalog.tools.filter(name__in=["mine", "theirs"]).update(description="Edited.")
    catalog.tools.get(name="deleted").delete()
    newer = ("mine", "theirs", "deleted", "out", "in")

    shown = looked_at(editor, catalog, text=pasted(*(mcp_tool(name) for name in newer)))
    kinds = {section.kind.value: section.count for section in shown.context["sections"]}
    assert kinds == {"new": 2, "kept": 2, "gone": 2, "deleted": 1}
    done = import_it(
        editor, shown, take=["theirs description"], remove=["gone"], leave=["out"], bring_back=[]
    )

    told = "1 added, 1 changed, 1 removed, 1 kept as edited here, 3 left as they were"
    assert told in done.content.decode()
    assert dict(catalog.tools.values_list("name", "description")) == {
        "mine": "Edited.",
        "theirs": "Find.",
        "stays": "Find.",
        "in": "Find.",
    }


def test_nothing_is_asked_of_edits_where_nothing_was_edited_here(
    editor: Client, catalog: Catalog
) -> None:
    import_it(editor, looked_at(editor, catalog, text=pasted(mcp_tool("find"), mcp_tool("same"))))
    newer = {**mcp_tool("find"), "description": "Find it."}
    shown = looked_at(editor, catalog, text=pasted(newer, mcp_tool("same"))).text
    assert "Changed in the source" in shown
    assert 'name="take_all"' not in shown
    assert '<a href="/catalogs/shop/tools/same">same</a>' in shown


def test_a_preview_that_the_draft_has_moved_past_is_shown_anew(
    editor: Client, catalog: Catalog
) -> None:
    shown = looked_at(editor, catalog, text=pasted(mcp_tool("find"), mcp_tool("seek")))
    Tool.objects.create(catalog=catalog, name="Find")

    answer = import_it(editor, shown, leave=["seek"])

    assert answer.status_code == 409
    assert "Nothing was written" in answer.content.decode()
    assert catalog.tools.count() == 1
    assert answer.context["preview"].counts["refused"] == 1
    assert 'name="leave" value="seek" checked' in answer.content.decode()


def test_faulty_tools_are_told_each_with_its_reason(editor: Client, catalog: Catalog) -> None:
    bad = mcp_tool("bad", inputSchema={"type": "array"})
    shown = looked_at(editor, catalog, text=pasted(mcp_tool("<b>find</b>"), bad))

    said = shown.content.decode()
    assert "The input schema must describe an object" in said
    assert "<b>find</b>" not in said
    assert "1 could not go in" in import_it(editor, shown).content.decode()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "Paste tools here"),
        ({"text": "{"}, "neither JSON nor YAML"),
        ({"text": "[]"}, "There is no tool in this."),
        ({"text": "[]", "url": "https://tools.example/"}, "Give one of the three"),
        ({"url": "ftp://tools.example/"}, "begins with https"),
        ({"url": "https://tools.example/?key=\x01"}, "begins with https"),
        ({"url": "https://tools.example/", "header": "a\r\nb"}, "one header on one line"),
        ({"text": "[]", "group": "No Name"}, "lower-case"),
    ],
)
def test_what_cannot_be_taken_in_is_told_and_stays_in_the_form(
    editor: Client, catalog: Catalog, sent: dict[str, str], told: str
) -> None:
    answer = editor.post(page(catalog), sent)

    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not PendingImport.objects.exists()
    assert answer.context["form"]["text"].value() == sent.get("text")


def test_an_address_is_fetched_through_the_guard_and_its_header_is_not_kept(
    editor: Client, catalog: Catalog, settings: Any
) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        send(handler, 200, pasted(mcp_tool("find")).encode())

    with serving(answer) as server:
        url = f"http://127.0.0.1:{server.port}/tools.json?key=s3cret"
        sent = {"url": url, "at": "document", "header": "Bearer s3cret"}
        refused = editor.post(page(catalog), sent)
        assert server.asked == []
        settings.OUTGOING_ALLOWED = ["127.0.0.1"]
        shown = looked_at(editor, catalog, **sent)

    assert "not a public address" in refused.content.decode()
    assert "Bearer s3cret" not in refused.content.decode()
    assert server.asked[0][1]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in shown.content.decode()
    kept = PendingImport.objects.values_list("source", "content").get()
    assert b"s3cret" not in repr(kept).encode()


def test_a_live_server_is_listed(editor: Client, catalog: Catalog, settings: Any) -> None:
    settings.OUTGOING_ALLOWED = ["127.0.0.1"]
    with mcp_server(lambda _cursor: {"tools": [tool("find")]}) as server:
        url = f"http://127.0.0.1:{server.port}/mcp"
        shown = looked_at(editor, catalog, url=url, at="server")

    assert shown.context["preview"].counts["new"] == 1
    assert shown.context["preview"].source == url


def test_documents_do_not_wait_for_ever(editor: Client, catalog: Catalog) -> None:
    for number in range(7):
        looked_at(editor, catalog, text=pasted(mcp_tool(f"find_{number}")))
    assert PendingImport.objects.count() == 5
    PendingImport.objects.update(created_at=timezone.now() - timedelta(days=2))

    shown = looked_at(editor, catalog, text=pasted(mcp_tool("find")))
    assert PendingImport.objects.count() == 1
    editor.post(shown.request["PATH_INFO"], {"discard": "1"})
    assert not PendingImport.objects.exists()
