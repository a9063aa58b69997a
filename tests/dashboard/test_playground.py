"""The playground: what an agent would get and why, and no trace of having looked."""

import json
import re
import shlex
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog, GroupTool
from dashboard.forms.playground import PlaygroundForm
from routing.keys import make_key
from routing.models import ApiKey, Run, Span, Text, Vector
from routing.selection import ModelAnswer
from tests.drafts import big_catalog, draft_of
from tests.samples import NOW, published

TASK = (
    "Reconcile the payment for order 88231 with yesterday's statement and, if it matches, "
    "settle the bill"
)
SQL_TASK = "Find all Python files with SQL injection vulnerabilities and fix them"


def choose(client: Client, catalog: str = "back-office", *, htmx: bool = False, **said: Any) -> Any:
    """Send the form of a catalog as a browser would."""
    headers = {"HX-Request": "true", "HX-Target": "playground"} if htmx else {}
    form = {"task": TASK, "ref": "live", "format": "native", **said}
    return client.post(f"/playground?catalog={catalog}", form, headers=headers)


def kept(response: Any) -> list[str]:
    """Return the tools that a page says are kept, in order."""
    table = re.search(r'id="kept-table".*?</table>', response.text, re.DOTALL)
    assert table, response.text
    rows = re.findall(r'<th scope="row">(.*?)</th>', table[0])
    return [re.sub(r"<[^>]+>", " ", row).split()[0] for row in rows]


def payload(response: Any) -> Any:
    found = re.search(r'<pre[^>]*id="payload"[^>]*>(.*?)</pre>', response.text, re.DOTALL)
    assert found
    return json.loads(unescape(found[1]))


def command(response: Any) -> list[str]:
    """Return the words of the curl command."""
    found = re.search(r"<code>(curl .*?)</code>", response.text, re.DOTALL)
    assert found
    return shlex.split(unescape(found[1]))


@pytest.fixture
def back_office(db: None) -> Catalog:
    return published("back-office")


@pytest.fixture
def dev_agent(db: None) -> Catalog:
    return published("dev-agent")


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


class TestTheResult:
    def test_it_shows_what_the_api_would_serve(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        response = choose(signed_in)
        assert response.status_code == 200
        token = make_key(name="agent", now=NOW).token
        answer = signed_in.post(
            "/api/v1/selections",
            {"catalog": "back-office", "task": TASK, "explain": True},
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        ).json()
        assert kept(response) == answer["tool_names"]
        assert payload(response) == answer["tools"]
        assert f"of {answer['tokens']['catalog']:,}" in response.text
        assert "from back-office@1" in response.text

    def test_every_tool_kept_or_missed_has_its_reason(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        page = choose(signed_in).text
        assert "always on" in page
        assert "did not fit well enough" in page
        assert "over the threshold of 0.60" in page
        assert "the shipped mapping" in page
        assert "opens one more of: billing, invoices" in page

    def test_the_keyword_case_is_served_from_rules(
        self, signed_in: Client, dev_agent: Catalog
    ) -> None:
        response = choose(
            signed_in,
            "dev-agent",
            task=SQL_TASK,
            history="Found 3 files with raw SQL queries\r\n\r\n",
            phase="implementation",
            strategy="keyword",
        )
        assert kept(response) == ["web_search", "code_search", "sql_query", "request_group"]
        assert "a rule decided, so nothing was estimated" in response.text
        assert "a keyword rule adds it" in response.text

    def test_a_fallback_is_explained(self, signed_in: Client, back_office: Catalog) -> None:
        page = choose(signed_in, task="xyzzy").text
        assert 'id="fallback"' in page
        assert "the default tools are served" in page or "Nothing in the catalog fits" in page
        assert "a default tool" in page

    def test_a_strategy_that_cannot_answer_says_why(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        page = choose(signed_in, strategy="llm").text
        assert "strategy_failed" in page
        assert "NotServable" in page

    @pytest.mark.parametrize(
        "name", ["native", "openai", "openai-responses", "anthropic", "prompt"]
    )
    def test_the_payload_is_in_the_format_chosen(
        self, signed_in: Client, back_office: Catalog, name: str
    ) -> None:
        first = payload(choose(signed_in, format=name))[0]
        keys = {"prompt": set[str]()}.get(name) or set(first)
        assert (name == "prompt") == isinstance(first, str)
        assert ("type" in keys) == name.startswith("openai")
        assert ("side_effect" in keys) == (name == "native")
        assert name != "anthropic" or keys == {"name", "description", "input_schema"}

    def test_the_rest_goes_behind_the_providers_search(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
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

    def test_a_search_with_nothing_to_find_says_so(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        page = choose(signed_in, format="anthropic", tool_search="on", strategy="all").text
        assert "Nothing is left to search" in page

    def test_cap_channel_and_inclusion_count(self, signed_in: Client, back_office: Catalog) -> None:
        capped = kept(choose(signed_in, max_tools="2"))
        assert len(capped) == 2 + len(["ask_user", "request_group"])
        rule = back_office.channelrules.first()
        assert rule is not None
        page = choose(signed_in, channel_kind=rule.kind, channel_value=rule.value).text
        assert "a rule names it" in page

    def test_routes_are_chosen_and_bound(self, signed_in: Client, user: User) -> None:
        published("refunds")
        response = choose(signed_in, "refunds", route="order_status")
        assert kept(response)[0] == "read_order"
        assert "not allowed on the route" in response.text
        assert choose(signed_in, "refunds").status_code == 422
        assert choose(signed_in, "refunds", route="else").status_code == 422

    def test_the_command_asks_the_api_for_the_same(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
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
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        page = choose(signed_in, task="settle the bill " * 400).text
        assert "The task is too long for a command line." in page

    def test_html_in_a_task_stays_text(self, signed_in: Client, back_office: Catalog) -> None:
        page = choose(signed_in, task="<script>alert(1)</script> pay</textarea>").text
        assert "<script>alert" not in page
        assert "pay</textarea></textarea>" not in page


class TestNoTrace:
    def test_nothing_is_written(self, signed_in: Client, back_office: Catalog) -> None:
        choose(signed_in, task="what compiles the release, whose vectors are kept")
        before = [model.objects.count() for model in (Run, Span, Text, ApiKey, Vector)]
        with CaptureQueriesContext(connection) as queries:
            assert choose(signed_in, htmx=True).status_code == 200
        writes = [
            query["sql"] for query in queries if re.match("INSERT|UPDATE|DELETE", query["sql"])
        ]
        assert writes == []
        assert [model.objects.count() for model in (Run, Span, Text, ApiKey, Vector)] == before

    def test_the_draft_writes_its_missing_vectors_alone(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        back_office.tools.filter(name="find_payment").update(description="Something new.")
        vectors = Vector.objects.count()
        assert choose(signed_in, ref="draft").status_code == 200
        assert Vector.objects.count() > vectors
        assert not Span.objects.exists()
        assert not Run.objects.exists()


class TestVersions:
    def test_the_draft_is_tried_as_it_is_now(self, signed_in: Client, back_office: Catalog) -> None:
        assert "check_stock" not in kept(choose(signed_in, ref="draft", max_tools="50"))
        GroupTool.objects.filter(tool__name="check_stock").delete()
        GroupTool.objects.create(
            group=back_office.groups.get(name="billing"),
            tool=back_office.tools.get(name="check_stock"),
        )
        response = choose(signed_in, ref="draft", max_tools="50")
        assert "check_stock" in kept(response)
        assert "from back-office@draft" in response.text
        assert "No agent can ask for the draft" in response.text
        assert "check_stock" not in kept(choose(signed_in, ref="live", max_tools="50"))
        assert "check_stock" not in kept(choose(signed_in, ref="1", max_tools="50"))

    def test_a_draft_with_problems_leads_to_them(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        back_office.tools.filter(name="settle_bill").update(always_on=True)
        response = choose(signed_in, ref="draft")
        assert response.status_code == 422
        assert "before its problems are mended" in response.text
        assert 'href="/catalogs/back-office/tools/settle_bill"' in response.text

    def test_a_catalog_never_published_offers_its_draft(
        self, signed_in: Client, user: User
    ) -> None:
        draft_of("refunds")
        page = signed_in.get("/playground?catalog=refunds").text
        assert '<option value="draft" selected>' in page
        assert 'value="live"' not in page
        assert choose(signed_in, "refunds", route="order_status").status_code == 422
        response = choose(signed_in, "refunds", route="order_status", ref="draft")
        assert kept(response)[0] == "read_order"

    def test_phases_are_those_of_the_version_chosen(
        self, signed_in: Client, dev_agent: Catalog
    ) -> None:
        dev_agent.phases.filter(name="testing").delete()
        fragment = {"HX-Request": "true", "HX-Target": "names"}
        page = "/playground?catalog=dev-agent"
        live = signed_in.get(f"{page}&ref=live&phase=testing", headers=fragment)
        draft = signed_in.get(f"{page}&ref=draft&phase=testing", headers=fragment)
        assert '<option value="testing" selected>' in live.text
        assert "testing" not in draft.text
        assert "<html" not in live.text
        assert "HX-Target" in live["Vary"]
        refused = choose(signed_in, "dev-agent", ref="draft", phase="testing")
        assert refused.status_code == 422
        assert "testing is not one of the available choices" in refused.text

    @pytest.mark.parametrize("ref", ["7", "x", "", "9" * 30, "-1"])
    def test_nonsense_is_no_version(
        self, signed_in: Client, back_office: Catalog, ref: str
    ) -> None:
        assert choose(signed_in, ref=ref).status_code == 422
        assert signed_in.get(f"/playground?catalog=back-office&ref={ref}").status_code == 200


class TestRefusals:
    @pytest.mark.parametrize(
        ("said", "why"),
        [
            ({"task": " \r\n\t "}, "Write a task."),
            ({"task": ""}, "This field is required."),
            ({"task": "nul \0 byte"}, "Null characters are not allowed."),
            ({"task": "x" * 200_001}, "at most 200000 characters"),
            ({"task": "x" * 150_000, "history": "y" * 60_000}, "200000 characters together"),
            ({"history": "a\n" * 201}, "at most 200 items"),
            ({"max_tools": "51"}, "less than or equal to 50"),
            ({"max_tools": "0"}, "greater than or equal to 1"),
            ({"channel_kind": "queue"}, "Say which one."),
            ({"channel_value": "invoices-in"}, "Say what kind it is."),
            ({"strategy": "magic"}, "magic is not one of the available choices"),
            ({"format": "yaml"}, "yaml is not one of the available choices"),
            ({"tool_search": "on"}, "Choose one of: OpenAI Responses, Anthropic."),
        ],
    )
    def test_errors_stand_beside_the_fields(
        self, signed_in: Client, back_office: Catalog, said: dict[str, Any], why: str
    ) -> None:
        response = choose(signed_in, **said)
        assert response.status_code == 422
        assert why in response.text
        assert 'aria-invalid="true"' in response.text
        assert "result-title" not in response.text

    def test_a_task_of_the_greatest_length_is_taken(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        assert choose(signed_in, task="é" * 200_000).status_code == 200

    def test_line_ends_count_once(self, signed_in: Client, back_office: Catalog) -> None:
        assert choose(signed_in, task="x\r\n" * 100_000).status_code == 200

    def test_half_a_character_is_refused(self) -> None:
        document = {
            "settings": {
                "strategy": "auto",
                "inclusive": False,
                "max_tools": 7,
                "initial_phase": None,
            },
            "phases": [],
            "routes": [],
        }
        form = PlaygroundForm(
            {"task": "x \ud800 y", "ref": "draft", "format": "native"},
            document=document,
            numbers=[],
            live=None,
            url="",
        )
        assert "half a character" in form.errors["task"][0]


class TestThePage:
    def test_the_fragment_is_the_page_without_its_frame(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        fragment = choose(signed_in, htmx=True)
        assert "<html" not in fragment.text
        assert fragment.text.lstrip().startswith('<div class="row row-cards" id="playground">')
        assert kept(fragment) == kept(choose(signed_in))

    def test_a_task_in_the_address_fills_the_form(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        page = signed_in.get("/playground?catalog=back-office&task=pay+it&strategy=all").text
        assert "pay it</textarea>" in page
        assert '<option value="all" selected>' in page
        assert "result-title" not in page

    def test_without_any_catalog_it_says_what_to_do(self, signed_in: Client) -> None:
        assert "There is no catalog to try." in signed_in.get("/playground").text

    def test_a_catalog_that_one_may_not_see_does_not_exist(
        self, signed_in: Client, back_office: Catalog
    ) -> None:
        Catalog.objects.update(archived=True)
        assert signed_in.get("/playground?catalog=back-office").status_code == 404
        assert choose(signed_in).status_code == 404

    def test_the_same_queries_whatever_the_size(
        self, signed_in: Client, user: User, settings: Any
    ) -> None:
        settings.ENCODER = "none"
        counts = []
        for catalog in (big_catalog(tools=30, groups=3), big_catalog(tools=300, groups=30)):
            choose(signed_in, catalog.name, ref="draft", strategy="all")
            with CaptureQueriesContext(connection) as queries:
                response = choose(signed_in, catalog.name, ref="draft", strategy="all")
            assert len(response.content) < 400_000
            counts.append(len(queries))
        assert counts[0] == counts[1]
        assert "and 200 more" in response.text
        assert "more tools are sent than this page shows" in response.text
        asked: dict[str, Any] = {
            "tool_search": "on",
            "format": "openai-responses",
            "max_tools": "5",
        }
        response = choose(signed_in, catalog.name, ref="draft", **asked)
        assert len(response.content) < 400_000
        assert "more tools are sent than this page shows" in response.text
        assert "ten or more" in response.text


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
