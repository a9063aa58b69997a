"""``/api/v1/catalogs``."""

import hashlib

import jsonschema_rs
import pytest
from django.test import Client

from catalog.models import Catalog
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def test_catalogs_are_listed_with_their_live_version(agent: Agent, back_office: Catalog) -> None:
    assert agent.get("/catalogs").json() == {
        "catalogs": [
            {
                "name": "back-office",
                "title": back_office.title,
                "live": "back-office@1",
                "labels": {"live": "back-office@1"},
                "versions": 1,
            }
        ]
    }


def test_a_reference_is_explained_and_cached(agent: Agent, dev_agent: Catalog) -> None:
    response = agent.get("/catalogs/dev-agent@1")
    value = response.json()

    assert (value["ref"], value["release"]) == ("dev-agent@1", 1)
    assert value["phases"][0]["initial"] is True
    assert len(value["tools"]) == 8
    again = agent.get("/catalogs/dev-agent", **{"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_document_is_what_the_hash_is_over(agent: Agent, back_office: Catalog) -> None:
    content = agent.get("/catalogs/back-office/document").content
    sha256 = agent.get("/catalogs/back-office").json()["sha256"]

    assert hashlib.sha256(content).hexdigest() == sha256


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("group=utility", ["calculator"]),
        ("phase=deployment", ["read_file", "run_tests", "deploy"]),
        ("group=data&phase=planning", []),
        ("tag=no-such-tag", []),
    ],
)
def test_tools_are_read_by_group_phase_and_tag(
    agent: Agent, dev_agent: Catalog, query: str, expected: list[str]
) -> None:
    tools = agent.get(f"/catalogs/dev-agent/tools?{query}").json()["tools"]

    assert [tool["name"] for tool in tools] == expected


def test_tools_as_a_prompt_are_plain_text(agent: Agent, dev_agent: Catalog) -> None:
    response = agent.get("/catalogs/dev-agent/tools?format=prompt&group=utility")

    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode().startswith("- calculator(expression: string")


def test_the_schema_of_documents_is_published(
    agent: Agent, back_office: Catalog, client: Client
) -> None:
    schema = client.get("/api/v1/schemas/document/1").json()

    jsonschema_rs.validate(schema, agent.get("/catalogs/back-office/document").json())
    assert client.get("/api/v1/schemas/document/2").status_code == 404


def test_the_openapi_document_and_its_page_need_no_key(client: Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    page = client.get("/api/v1/docs")

    assert "/api/v1/selections" in document["paths"]
    assert page.status_code == 200
    assert b"cdn" not in page.content


def test_probes(client: Client, back_office: Catalog) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok", "releases": 1}


def test_strict_schemas_are_served_where_the_format_has_them(
    agent: Agent, back_office: Catalog
) -> None:
    strict = agent.get("/catalogs/back-office/tools?format=openai&strict=true").json()["tools"]
    plain = agent.get("/catalogs/back-office/tools?format=openai").json()["tools"]
    native = agent.get("/catalogs/back-office/tools?strict=true").json()["tools"]

    assert all(tool["function"]["strict"] is True for tool in strict)
    assert not any("strict" in tool["function"] for tool in plain)
    assert not any("strict" in tool for tool in native)
