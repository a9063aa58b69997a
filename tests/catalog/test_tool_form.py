"""The form of a tool: strict, forgiving of typing, and never losing any of it."""

import json
from typing import Any

import pytest
from django.test import Client

from catalog.formats import FORMATS
from catalog.freezing import tool_value
from catalog.models import Catalog, Tool
from tests.drafts import draft_of, empty_catalog

HTMX = {"HX-Request": "true"}
PAGE = "/catalogs/back-office/tools/find_payment"
NEW = "/catalogs/back-office/tools/-/new"
CHECK = "/catalogs/back-office/tools/-/check"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def shown(client: Client, address: str = PAGE, **changes: object) -> dict[str, Any]:
    """Return what the browser would send of the form as the page shows it, with some changes."""
    form = client.get(address).context["form"]
    values = {field.name: field.value() for field in form}
    return {name: value for name, value in {**values, **changes}.items() if value is not False}


def test_saving_a_form_as_it_is_changes_nothing(signed_in: Client, catalog: Catalog) -> None:
    for tool in catalog.tools.all():
        address = tool.get_absolute_url()
        before = tool_value(tool), tool.is_default, tool.always_on, tool.position
        sent = {
            name: value.replace("\n", "\r\n") if isinstance(value, str) else value
            for name, value in shown(signed_in, address).items()
        }
        assert signed_in.post(address, sent).status_code == 302, tool.name
        tool.refresh_from_db()
        assert (tool_value(tool), tool.is_default, tool.always_on, tool.position) == before


def test_the_name_that_a_tool_has_in_its_source_stays_an_alias(
    signed_in: Client, catalog: Catalog
) -> None:
    catalog.tools.filter(name="find_payment").update(aliases=["payments/find.v2"])

    saved = signed_in.post(PAGE, shown(signed_in, title="Found"))
    typed = signed_in.post(PAGE, shown(signed_in, aliases="payments/find.v2\nother/find"))

    assert (saved.status_code, typed.status_code) == (302, 422)
    assert catalog.tools.get(name="find_payment").aliases == ["payments/find.v2"]


def test_a_schema_comes_out_of_the_form_as_it_went_in(signed_in: Client, catalog: Catalog) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"maximum": 9223372036854775807, "multipleOf": 0.1}, "ñ": {}},
    }
    sent = shown(signed_in, input_schema=json.dumps(schema), output_schema="")
    assert signed_in.post(PAGE, sent).status_code == 302
    tool = catalog.tools.get(name="find_payment")
    assert tool.input_schema == schema
    assert tool.output_schema is None


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("input_schema", '{"type": "object",', "Line 1, column 19"),
        ("input_schema", '{"type": "object", "type": "object"}', "occurs twice"),
        ("input_schema", '{"type": "string"}', "Arguments have names"),
        ("input_schema", "{}", "Arguments have names"),
        ("input_schema", '{"a":' * 200 + "1" + "}" * 200, "Nested more than 100"),
        ("input_schema", '{"title": "\\ud800"}', "surrogate"),
        ("output_schema", '{"type": "strin"}', "At /type"),
        ("output_schema", '{"title": "\\u0000"}', "U+0000"),
        ("name", "check_stock", "“check_stock” has this name"),
        ("name", "Check_Stock", "“check_stock” has this name"),
        ("name", "request_group", "reserved"),
        ("name", "find payment", "every provider"),
        ("aliases", "check_stock", "the name of another tool"),
        ("aliases", "no good name", "every provider"),
        ("aliases", "find_payment", "no alias of itself"),
        ("side_effect", "write", "may only read"),
        ("side_effect", "maybe", "Select a valid choice"),
        ("timeout_ms", "0", "greater than or equal to 1"),
        ("max_attempts", "21", "less than or equal to 20"),
        ("tags", "x" * 101, "longer than 100"),
        ("examples", "\n".join(map(str, range(101))), "At most 100 lines"),
        ("description", "x" * 4001, "4000"),
        ("tags", "a\0b", "Null characters"),
        ("description", "a\0b", "Null characters"),
    ],
)
def test_a_refused_field_says_why_and_everything_typed_is_still_there(
    signed_in: Client, catalog: Catalog, field: str, value: str, reason: str
) -> None:
    before = tool_value(catalog.tools.get(name="find_payment"))
    sent = shown(signed_in, title="A title to keep", **{field: value})
    answer = signed_in.post(PAGE, sent)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert reason in " ".join(form.errors[field])
    assert list(form.errors) == [field]
    assert form[field].value() == value
    assert "A title to keep" in answer.content.decode()
    assert tool_value(catalog.tools.get(name="find_payment")) == before


def test_a_rename_keeps_groups_and_rules(signed_in: Client, catalog: Catalog) -> None:
    tool = catalog.tools.get(name="find_payment")
    groups = set(tool.groups.all())
    answer = signed_in.post(PAGE, shown(signed_in, name="look_up_payment", aliases="find_payment"))
    assert answer["Location"] == "/catalogs/back-office/tools/look_up_payment"
    tool.refresh_from_db()
    assert set(tool.groups.all()) == groups
    assert tool.aliases == ["find_payment"]


def test_what_another_saved_meanwhile_is_not_overwritten_unasked(
    signed_in: Client, catalog: Catalog
) -> None:
    sent = shown(signed_in, title="Mine")
    theirs = catalog.tools.get(name="find_payment")
    theirs.title = "Theirs"
    theirs.save()
    answer = signed_in.post(PAGE, {**sent, "owner": "me"})
    assert answer.status_code == 409
    told = answer.content.decode().split('id="overtaken"')[1]
    assert "Theirs" in told
    assert "saving puts yours in its place" in told
    assert catalog.tools.get(name="find_payment").title == "Theirs"
    assert catalog.tools.get(name="find_payment").owner == "finance"
    values = {field.name: field.value() for field in answer.context["form"]}
    again = {name: value for name, value in values.items() if value not in (False, None)}
    assert (again["title"], again["owner"]) == ("Mine", "me")
    texts = {name: text for name, _title, text in answer.context["preview"].texts}
    assert json.loads(texts["native"])["title"] == "Mine"
    assert signed_in.post(PAGE, again).status_code == 302
    assert catalog.tools.get(name="find_payment").title == "Mine"


def test_what_another_saved_elsewhere_in_the_tool_is_taken_over(
    signed_in: Client, catalog: Catalog
) -> None:
    sent = shown(signed_in, title="Mine")
    schema = {"type": "object", "properties": {"n": {"maximum": 9223372036854775807}}}
    theirs = catalog.tools.get(name="find_payment")
    theirs.input_schema = schema
    theirs.save()
    answer = signed_in.post(PAGE, sent)
    assert answer.status_code == 409
    assert "9223372036854775807" in answer.content.decode().split('id="overtaken"')[1]
    values = {field.name: field.value() for field in answer.context["form"]}
    again = {name: value for name, value in values.items() if value not in (False, None)}
    assert signed_in.post(PAGE, again).status_code == 302
    tool = catalog.tools.get(name="find_payment")
    assert (tool.title, tool.input_schema) == ("Mine", schema)


def test_a_tool_called_new_is_a_tool_like_any_other(signed_in: Client, catalog: Catalog) -> None:
    sent = shown(signed_in, NEW, name="new", description="Try.", input_schema="")
    answer = signed_in.post(NEW, sent)
    assert answer["Location"] == "/catalogs/back-office/tools/new"
    assert signed_in.get("/catalogs/back-office/tools/new").status_code == 200
    tool = catalog.tools.get(name="new")
    assert tool.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert tool.position == 34
    assert tool.tokens > 0


def test_the_check_tells_faults_tokens_and_previews(signed_in: Client, catalog: Catalog) -> None:
    address = f"{CHECK}?tool=find_payment"
    typed = shown(signed_in, description="Quite another description.")
    answer = signed_in.post(address, typed, headers=HTMX).content.decode()
    assert "tokens" in answer
    assert answer.count("Quite another description.") == len(FORMATS)
    assert answer.count('hx-swap-oob="true"') == 2 + len(FORMATS)
    faulty = {**typed, "input_schema": '{"type": "object",\n"properties": []}'}
    answer = signed_in.post(address, faulty, headers=HTMX).content.decode()
    assert "Line 2, column 15: At /properties" in answer
    assert "no sound input schema" in answer
    assert catalog.tools.get(name="find_payment").description != "Quite another description."


def test_the_check_stands_whatever_is_typed(signed_in: Client, catalog: Catalog) -> None:
    for typed in (
        {},
        {"input_schema": "["},
        {"name": "\0", "output_schema": "{"},
        {"input_schema": '{"properties": {"a": true, "b": {"type": ["null"]}}}'},
    ):
        assert signed_in.post(CHECK, typed, headers=HTMX).status_code == 200, typed


def test_the_page_previews_each_format(signed_in: Client, catalog: Catalog) -> None:
    texts = {name: text for name, _title, text in signed_in.get(PAGE).context["preview"].texts}
    assert json.loads(texts["openai"])["function"]["name"] == "find_payment"
    assert json.loads(texts["anthropic"])["input_schema"]["type"] == "object"
    assert texts["prompt"].startswith("- find_payment(order_code: string")
    assert json.loads(texts["native"])["owner"] == catalog.tools.get(name="find_payment").owner


def test_the_page_of_an_enormous_tool_stays_small(signed_in: Client, catalog: Catalog) -> None:
    properties = {f"argument_{n}": {"type": "string", "title": "x" * 40} for n in range(900)}
    schema = json.dumps({"type": "object", "properties": properties})
    sent = shown(signed_in, input_schema=schema, output_schema=schema)
    assert signed_in.post(PAGE, sent).status_code == 302
    page = signed_in.get(PAGE)
    assert len(page.content) < 600_000
    assert "more characters" in page.content.decode()


def test_deleting_says_where_the_tool_is_used(signed_in: Client, catalog: Catalog) -> None:
    page = signed_in.get(f"{PAGE}/delete").content.decode()
    assert "billing" in page
    assert "default tool" in page
    answer = signed_in.post(f"{PAGE}/delete")
    assert answer["Location"] == "/catalogs/back-office/tools"
    assert not catalog.tools.filter(name="find_payment").exists()


def test_a_tool_of_another_catalog_is_not_found(signed_in: Client, catalog: Catalog) -> None:
    empty_catalog()
    base = "/catalogs/empty/tools/find_payment"
    for path in ("", "/delete"):
        assert signed_in.get(base + path).status_code == 404, path
        assert signed_in.post(base + path).status_code == 404, path
    assert catalog.tools.filter(name="find_payment").exists()
    # Nor does a check there look at it: the name is free in this catalog.
    typed = shown(signed_in)
    answer = signed_in.post("/catalogs/empty/tools/-/check?tool=find_payment", typed)
    assert "name" not in answer.context["form"].errors


def test_markup_in_a_tool_is_text(signed_in: Client, catalog: Catalog) -> None:
    Tool.objects.filter(name="find_payment").update(
        title="<script>alert(1)</script>", description="</pre><img src=x onerror=alert(1)>"
    )
    for address in (PAGE, "/catalogs/back-office/tools", "/catalogs/back-office/groups"):
        page = signed_in.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
