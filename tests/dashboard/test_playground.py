"""The playground: a task tried on a version, and no trace of having looked."""

import re
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
from tests.dashboard.playground import TASK, choose, kept, payload
from tests.drafts import big_catalog, draft_of
from tests.samples import NOW, published

SQL_TASK = "Find all Python files with SQL injection vulnerabilities and fix them"


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
        assert "meaning was not weighed, so nothing was estimated" in response.text
        assert "a keyword rule adds it" in response.text

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
