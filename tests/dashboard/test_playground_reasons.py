"""What the playground says of why: of each tool, of a fallback, of one tool that is asked about."""

import re
from typing import Any

import pytest
from django.test import Client

from catalog.models import Catalog
from routing.selection import ModelAnswer
from tests.dashboard.playground import choose


def test_every_tool_kept_or_missed_has_its_reason(signed_in: Client, back_office: Catalog) -> None:
    page = choose(signed_in).text
    assert "always on" in page
    assert "did not fit well enough" in page
    assert "over the threshold of 0.60" in page
    assert "the shipped mapping" in page
    assert "opens one more of: billing, invoices" in page


def test_a_fallback_is_explained(signed_in: Client, back_office: Catalog) -> None:
    page = choose(signed_in, task="xyzzy").text
    assert 'id="fallback"' in page
    assert "the default tools are served" in page or "Nothing in the catalog fits" in page
    assert "a default tool" in page


def test_a_strategy_that_cannot_answer_says_why(signed_in: Client, back_office: Catalog) -> None:
    page = choose(signed_in, strategy="llm").text
    assert "strategy_failed" in page
    assert "NotServable" in page


def test_what_a_router_model_said_and_cost_is_shown(
    signed_in: Client, back_office: Catalog, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ModelAnswer(
        model="openai:small",
        groups=("stock",),
        confidence=0.85,
        tokens_in=1412,
        tokens_out=21,
        cost=0.001517,
        latency_ms=640,
    )
    monkeypatch.setattr("routing.llm.selecting.ask_router", lambda *_: answer)
    assert 'id="router-hint"' not in signed_in.get("/playground?catalog=back-office").text
    settings.LLM_ROUTER = "openai:small"
    page = choose(signed_in, strategy="llm").text
    assert "“llm” asks openai:small. It is sent the task" in page
    facts = re.search(r'<dl[^>]*id="router">.*?</dl>', page, re.DOTALL)
    assert facts
    words = " ".join(re.sub(r"<[^>]+>", " ", facts[0]).split())
    assert "openai:small" in words
    assert "Its answer stock" in words
    assert "1,412 + 21" in words
    assert "0.001517 USD" in words
    settings.LLM_ROUTER_IN_AUTO = True
    failed = ModelAnswer(model="openai:small", failure="the endpoint answered 500")
    monkeypatch.setattr("routing.llm.selecting.ask_router", lambda *_: failed)
    page = choose(signed_in, strategy="llm").text
    assert "and so does “auto”" in page
    assert "the endpoint answered 500" in page
    assert 'id="router"' not in choose(signed_in, strategy="all").text


class TestAnAccountOfOneTool:
    def test_it_says_why_a_tool_is_served(self, signed_in: Client, back_office: Catalog) -> None:
        page = choose(signed_in, why_tool="find_payment")
        assert page.status_code == 200
        assert "find_payment is served" in page.text
        assert "Probability that the task needs it" in page.text
        assert page.context["account"].account.reason.value in page.text

    def test_it_says_why_one_is_not(self, signed_in: Client, back_office: Catalog) -> None:
        page = choose(signed_in, why_tool="quote_freight", htmx=True)
        assert "quote_freight is not served" in page.text
        assert "did not fit well enough" in page.text
        assert page.context["account"].account.group == "logistics"

    def test_what_a_rule_decides_did_not_go_by_what_speaks_for_a_tool(
        self, signed_in: Client, dev_agent: Catalog
    ) -> None:
        page = choose(
            signed_in,
            "dev-agent",
            task="Deploy it",
            strategy="keyword",
            why_tool="deploy",
        )
        assert "what speaks for the tool was not asked" in page.text
        assert "a keyword rule adds it" in page.text

    def test_an_unknown_name_gives_near_ones(self, signed_in: Client, back_office: Catalog) -> None:
        page = choose(signed_in, why_tool="find_paymnt")
        assert page.status_code == 422
        assert "This version has no such tool. Did you mean one of: find_payment" in page.text
        assert "This version has no such tool." in choose(signed_in, why_tool="zzzzzz").text

    def test_none_is_shown_unless_asked_for(self, signed_in: Client, back_office: Catalog) -> None:
        assert 'id="account"' not in choose(signed_in).text
