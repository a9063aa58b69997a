"""What the playground shows of the tools as an agent is sent them, and the command for the same."""

import json

import pytest
from django.test import Client

from catalog.formats import FORMATS
from catalog.models import Catalog
from tests.dashboard.playground import choose, command, payload


@pytest.mark.parametrize("name", FORMATS)
def test_the_payload_is_in_the_format_chosen(
    signed_in: Client, back_office: Catalog, name: str
) -> None:
    first = payload(choose(signed_in, format=name))[0]
    keys = {"prompt": set[str]()}.get(name) or set(first)
    assert (name == "prompt") == isinstance(first, str)
    assert ("type" in keys) == name.startswith("openai")
    assert ("side_effect" in keys) == (name == "native")
    assert name != "anthropic" or keys == {"name", "description", "input_schema"}


def test_the_rest_goes_behind_the_providers_search(signed_in: Client, back_office: Catalog) -> None:
    plain = choose(signed_in, format="openai-responses")
    assert 'id="deferred"' not in plain.text
    response = choose(signed_in, format="openai-responses", tool_search="on")
    sent = payload(response)
    assert sent[: len(payload(plain))] == payload(plain)
    assert sent[len(payload(plain))] == {"type": "tool_search"}
    stock = next(tool for tool in sent if tool.get("name") == "stock")
    assert "check_stock" in [tool["name"] for tool in stock["tools"]]
    table = response.text.partition('id="deferred-table"')[2]
    assert "check_stock" in table
    assert "Namespace" in table
    assert json.loads(command(response)[-1])["tool_search"] is True

    of_anthropic = choose(signed_in, format="anthropic", tool_search="on")
    assert payload(of_anthropic)[-1]["defer_loading"] is True
    assert "Namespace" not in of_anthropic.text


def test_a_search_with_nothing_to_find_says_so(signed_in: Client, back_office: Catalog) -> None:
    page = choose(signed_in, format="anthropic", tool_search="on", strategy="all").text
    assert "Nothing is left to search" in page


def test_the_command_asks_the_api_for_the_same(signed_in: Client, back_office: Catalog) -> None:
    task = 'Don\'t "quote" $HOME `x`\r\nsecond line, ação'
    words = command(choose(signed_in, task=task, max_tools="3", format="openai", ref="1"))
    assert words[2] == "http://testserver/api/v1/selections"
    assert json.loads(words[words.index("-d") + 1]) == {
        "catalog": "back-office@1",
        "task": 'Don\'t "quote" $HOME `x`\nsecond line, ação',
        "max_tools": 3,
        "format": "openai",
    }


def test_a_task_too_long_for_a_shell_has_no_command(
    signed_in: Client, back_office: Catalog
) -> None:
    page = choose(signed_in, task="settle the bill " * 400).text
    assert "The task is too long for a command line." in page
