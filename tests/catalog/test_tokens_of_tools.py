"""Each tool keeps what it costs and what searches read, however it is saved."""

import json

import pytest

from catalog.document import canonical_bytes
from catalog.formats import encode
from catalog.freezing import freeze, tool_value
from catalog.models import Tool
from catalog.tokens import count_tokens
from tests.drafts import draft_of

pytestmark = pytest.mark.django_db


def test_a_draft_filled_at_once_has_the_tokens_that_its_document_is_served_with() -> None:
    catalog = draft_of()
    served = json.loads(canonical_bytes(freeze(catalog)))["tools"]
    stored = {tool.name: tool.tokens for tool in catalog.tools.all()}
    assert stored == {
        tool["name"]: count_tokens(encode(tool, format_name="openai").decode()) for tool in served
    }
    assert min(stored.values()) > 50


def test_saving_a_longer_description_raises_the_tokens() -> None:
    tool = draft_of().tools.get(name="find_payment")
    before = tool.tokens
    tool.description += " And much more than that."
    tool.save(update_fields=["description"])
    tool.refresh_from_db()
    assert tool.tokens > before
    assert "much more" in tool.search_text


def test_searches_ignore_case_and_accents_and_want_every_word() -> None:
    catalog = draft_of("contratos")
    tool = catalog.tools.all()[0]
    tool.title, tool.tags = "Rescisión ANTICIPADA", ["Ñandú"]
    tool.save()
    for query in ("RESCISION", "anticipada rescisión", "nandu", tool.name[:6].upper()):
        assert tool in catalog.tools.search(query), query
    assert tool not in catalog.tools.search("rescision xyzzy")
    assert catalog.tools.search("  \0 ").count() == catalog.tools.count()
    assert not catalog.tools.search("100%_").exists()


def test_a_tool_value_carries_nothing_that_is_worked_out() -> None:
    assert not {"tokens", "search_text"} & set(tool_value(Tool()))
