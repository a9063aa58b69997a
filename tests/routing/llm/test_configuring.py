"""The router model as the environment names it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.checks.registry import registry

from routing.llm.asking import ask_router
from routing.llm.checks import check_router
from routing.llm.configuring import BadRouterSetting, Prices, RouterSettings, read_settings
from tests.routing.llm.conftest import KEY, LetThrough

NAMED = {
    "LLM_ROUTER": "anthropic:small",
    "LLM_ROUTER_URL": "",
    "LLM_ROUTER_KEY": KEY,
    "LLM_ROUTER_TIMEOUT": 5.0,
    "LLM_ROUTER_PRICES": "",
}


def read(**more: Any) -> RouterSettings | None:
    return read_settings(SimpleNamespace(**(NAMED | more)))


def test_a_model_is_named_with_its_provider() -> None:
    settings = read(LLM_ROUTER="openai:org/model:7b", LLM_ROUTER_PRICES="0.25/2")
    assert settings is not None
    assert (settings.provider, settings.model) == ("openai", "org/model:7b")
    assert settings.prices == Prices(read=0.25, written=2)
    assert settings.prices.cost(tokens_in=1_000_000, tokens_out=500_000) == 1.25
    assert KEY not in repr(settings)


def test_empty_is_off() -> None:
    assert read(LLM_ROUTER=" ") is None


@pytest.mark.parametrize(
    "more",
    [
        {"LLM_ROUTER": "small"},
        {"LLM_ROUTER": "anthropic:"},
        {"LLM_ROUTER": "gemini:small"},
        {"LLM_ROUTER": "openai:" + "x" * 300},
        {"LLM_ROUTER_URL": "file:///etc/passwd"},
        {"LLM_ROUTER_URL": "http://[::1/v1"},
        {"LLM_ROUTER_KEY": ""},
        {"LLM_ROUTER_KEY": "sk-é"},
        {"LLM_ROUTER_KEY": "a\nb"},
        {"LLM_ROUTER_TIMEOUT": 0},
        {"LLM_ROUTER_TIMEOUT": float("nan")},
        {"LLM_ROUTER_TIMEOUT": 61},
        {"LLM_ROUTER_PRICES": "1"},
        {"LLM_ROUTER_PRICES": "1/2/3"},
        {"LLM_ROUTER_PRICES": "-1/2"},
        {"LLM_ROUTER_PRICES": "nan/2"},
    ],
)
def test_what_cannot_be_read_is_told_by_its_name(more: dict[str, Any]) -> None:
    with pytest.raises(BadRouterSetting, match=next(iter(more))) as raised:
        read(**more)
    assert KEY not in str(raised.value)


def test_only_a_server_of_ones_own_may_go_without_a_key() -> None:
    local = {"LLM_ROUTER": "openai:small", "LLM_ROUTER_KEY": ""}
    assert read(**local, LLM_ROUTER_URL="http://127.0.0.1:11434/v1") is not None
    with pytest.raises(BadRouterSetting, match="LLM_ROUTER_KEY"):
        read(**local)


def test_a_setting_that_cannot_be_read_is_a_failure_and_a_warning_at_the_start(
    name_router: Callable[..., None],
) -> None:
    name_router("anthropic", LLM_ROUTER_PRICES="cheap")
    answer = ask_router(lambda: None, LetThrough())
    assert answer is not None
    assert "LLM_ROUTER_PRICES" in (answer.failure or "")
    assert check_router in registry.get_checks()
    assert [warning.id for warning in check_router()] == ["routing.W001"]
    name_router("anthropic")
    assert check_router() == []
