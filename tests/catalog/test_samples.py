"""The sample catalogs may be published as they are, and hold what the README tells of them."""

import re
from collections import Counter
from itertools import chain
from typing import Any

import jsonschema_rs
import pytest
import re2

from catalog.document import FORMAT, STRATEGIES, check
from catalog.samples import SAMPLES, load_sample

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TOP = (
    "catalog title settings tools groups default_tools always_on phases keyword_rules intent_rules "
    "channel_rules routes"
)
KEYS = {
    "tools": (
        "name title description category tags input_schema output_schema capability side_effect "
        "idempotent open_world scopes needs_approval timeout_ms max_attempts output_trust enabled "
        "owner aliases examples trace_fields"
    ),
    "groups": "name description tools examples",
    "phases": "name description tools groups next",
    "keyword_rules": "pattern add_tools remove_tools add_groups remove_groups",
    "intent_rules": "phrases tools groups",
    "channel_rules": "kind value groups",
    "routes": "name tools groups side_effects budget",
}
BY_WORD = {
    "search searches searching find finds look-up looked-up research": "web_search code_search",
    "read reads reading open opened view viewing inspect inspected": "read_file",
    "write writes create created modify modified update updating edit edits": (
        "write_file read_file"
    ),
    "test tests tested testing spec specs assert asserts validate validated": (
        "run_tests read_file"
    ),
    "deploy deploys deploying release released publish publishes ship shipped": "deploy run_tests",
    "calculate calculated compute computing math sum summed average averages": "calculator",
    "query queries querying database databases sql select selected join joining": "sql_query",
}
NOT_WORDS = (
    "latest contest testament thread already misread opener reviewed inspector rewrite recreated "
    "respect desert validity membership shipment readership summary aftermath average_price "
    "nosql selection joiner prefix files fix vulnerabilities raw python"
)


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> dict[str, Any]:
    return load_sample(request.param)


def tools_of(sample: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in sample["tools"]}


def tools_by_keyword(text: str) -> list[str]:
    options = re2.Options()
    options.case_sensitive = False
    rules = load_sample("dev-agent")["keyword_rules"]
    return [
        tool
        for rule in rules
        if re2.compile(rule["pattern"], options).search(text)
        for tool in rule["add_tools"]
    ]


def test_a_sample_may_be_published(sample: dict[str, Any]) -> None:
    tools = [{**tool, "revision": 1} for tool in sample["tools"]]
    assert check({**sample, "format": FORMAT, "tools": tools}) == []


def test_a_sample_has_every_key_of_the_document_and_no_other(sample: dict[str, Any]) -> None:
    assert set(sample) == set(TOP.split())
    for kind, keys in KEYS.items():
        for item in sample[kind]:
            assert set(item) == set(keys.split()), (kind, item)


def test_a_sample_is_named_and_set_up(sample: dict[str, Any]) -> None:
    settings = sample["settings"]
    assert sample["catalog"] in SAMPLES
    assert settings["strategy"] in STRATEGIES
    assert 0 < settings["threshold"] < 1
    assert 5 <= settings["max_tools"] <= 7


def test_names_are_fit_for_every_provider_and_used_once(sample: dict[str, Any]) -> None:
    names = [
        name.casefold() for tool in sample["tools"] for name in (tool["name"], *tool["aliases"])
    ]
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name) for name in names)
    assert len(set(names)) == len(names)
    parts = [item["name"] for kind in ("groups", "phases", "routes") for item in sample[kind]]
    assert all(re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", name) for name in parts)


def test_input_schemas_are_closed_and_every_argument_is_described(sample: dict[str, Any]) -> None:
    for tool in sample["tools"]:
        schema = tool["input_schema"]
        jsonschema_rs.meta.validate({**schema, "$schema": DIALECT})
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        for name, argument in schema["properties"].items():
            assert argument["description"].endswith("."), (tool["name"], name)
            assert "type" in argument
        assert set(tool["trace_fields"]) <= set(schema["properties"])


def test_tools_say_truly_what_they_may_do(sample: dict[str, Any]) -> None:
    for tool in sample["tools"]:
        name = tool["name"]
        assert tool["side_effect"] in ("read", "write", "destructive"), name
        assert tool["output_trust"] in ("trusted_system", "untrusted_content"), name
        assert tool["idempotent"] or tool["max_attempts"] == 1, name
        if tool["side_effect"] == "read":
            assert tool["idempotent"], name
            assert not tool["needs_approval"], name
        assert tool["timeout_ms"] > 0
        assert len(tool["examples"]) <= 3


def test_descriptions_are_distinct_and_groups_say_when_to_use_them(sample: dict[str, Any]) -> None:
    for kind in ("tools", "groups"):
        descriptions = [item["description"] for item in sample[kind]]
        assert len(set(descriptions)) == len(descriptions)
        assert all(text.endswith(".") and len(text) >= 40 for text in descriptions)
    for group in sample["groups"]:
        assert group["description"].startswith(("Use to ", "Use for ", "Usar para "))
        assert 3 <= len(group["examples"]) <= 6
        assert 1 <= len(group["tools"]) <= 10


def test_every_tool_is_in_one_group_or_always_on(sample: dict[str, Any]) -> None:
    members = list(chain.from_iterable(group["tools"] for group in sample["groups"]))
    assert Counter([*members, *sample["always_on"]]) == Counter(list(tools_of(sample)))


def test_lists_are_in_catalog_order_as_freezing_writes_them(sample: dict[str, Any]) -> None:
    names = list(tools_of(sample))
    assert list(chain.from_iterable(group["tools"] for group in sample["groups"])) == [
        name for name in names if name not in sample["always_on"]
    ]
    assert sample["default_tools"] == [name for name in names if name in sample["default_tools"]]


def test_every_group_but_execution_can_look_before_it_acts(sample: dict[str, Any]) -> None:
    tools = tools_of(sample)
    for group in sample["groups"]:
        if group["name"] != "execution":
            effects = {tools[name]["side_effect"] for name in group["tools"]}
            assert "read" in effects, group["name"]


def test_a_sample_may_be_changed_without_changing_the_next() -> None:
    load_sample("refunds")["tools"].clear()
    assert len(load_sample("refunds")["tools"]) == 4


def test_an_unknown_sample_is_refused() -> None:
    with pytest.raises(KeyError):
        load_sample("../samples/refunds")


def test_dev_agent_holds_the_tools_and_phases_of_the_specification() -> None:
    sample = load_sample("dev-agent")
    assert {group["name"]: group["tools"] for group in sample["groups"]} == {
        "research": ["web_search", "code_search"],
        "file_ops": ["read_file", "write_file"],
        "execution": ["run_tests", "deploy"],
        "utility": ["calculator"],
        "data": ["sql_query"],
    }
    assert {phase["name"]: phase["tools"] for phase in sample["phases"]} == {
        "planning": ["web_search", "code_search", "calculator"],
        "implementation": ["read_file", "write_file", "code_search"],
        "testing": ["read_file", "run_tests", "code_search"],
        "deployment": ["run_tests", "deploy", "read_file"],
        "analysis": ["sql_query", "calculator", "web_search"],
    }
    assert sample["settings"]["strategy"] == "phase+keyword"
    assert sample["settings"]["initial_phase"] == "planning"
    assert sample["always_on"] == []


def test_every_phase_of_dev_agent_can_be_reached_and_left() -> None:
    follows = {phase["name"]: phase["next"] for phase in load_sample("dev-agent")["phases"]}
    reached, waiting = set(), ["planning"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(follows[name])
    assert reached == set(follows)
    assert all(follows.values())


@pytest.mark.parametrize(
    ("word", "tools"),
    [(word, tools) for words, tools in BY_WORD.items() for word in words.split()],
)
def test_a_keyword_with_its_inflections_adds_its_tools(word: str, tools: str) -> None:
    text = f"Please, {word.replace('-', ' ').upper()}!"
    assert tools_by_keyword(text) == tools.split()


@pytest.mark.parametrize("word", NOT_WORDS.split())
def test_a_part_of_a_word_is_no_keyword(word: str) -> None:
    assert tools_by_keyword(f"the {word} of it") == []


def test_back_office_holds_the_groups_of_the_specification() -> None:
    sample = load_sample("back-office")
    groups = {group["name"]: group for group in sample["groups"]}
    assert list(groups) == ["billing", "invoices", "stock", "logistics", "commissions"]
    assert len(sample["tools"]) == 34
    assert len(groups["billing"]["tools"]) == 7
    assert "find_payment" in groups["billing"]["tools"]
    assert "check_stock" in groups["stock"]["tools"]
    assert groups["billing"]["description"] == (
        "Use to reconcile payments against statements and settle bills."
    )
    assert sample["always_on"] == ["ask_user"]
    assert sample["settings"]["strategy"] == "auto"
    assert {rule["kind"] for rule in sample["channel_rules"]} == {"queue", "channel", "event"}


def test_back_office_has_the_look_alikes_that_health_warns_about() -> None:
    tools = tools_of(load_sample("back-office"))
    pair = [tools["find_payment"], tools["check_stock"]]
    assert len({tuple(tool["description"].split()[:6]) for tool in pair}) == 1
    assert all("order_code" in tool["input_schema"]["required"] for tool in pair)


def test_default_tools_of_back_office_reach_every_group_by_order_code() -> None:
    sample = load_sample("back-office")
    tools = tools_of(sample)
    for group in sample["groups"]:
        assert len(set(group["tools"]) & set(sample["default_tools"])) == 1, group["name"]
    for name in sample["default_tools"]:
        assert "order_code" in tools[name]["input_schema"]["properties"], name


def test_contratos_is_described_in_spanish_and_has_near_twins() -> None:
    sample = load_sample("contratos")
    contracts = next(group for group in sample["groups"] if group["name"] == "contracts")
    twins = {
        "search_contracts",
        "get_contract_by_id",
        "list_active_contracts",
        "find_expired_contracts",
    }
    assert twins <= set(contracts["tools"])
    assert len(sample["tools"]) >= 30
    spanish = re.compile(r"\b(de|del|que|un|una|los|las|con|por|para|el|la|y)\b")
    assert all(spanish.search(tool["description"]) for tool in sample["tools"])
    assert [rule["groups"] for rule in sample["intent_rules"]] == [
        ["contracts"],
        ["email"],
        ["crm"],
    ]


def test_refunds_has_the_arguments_and_routes_of_the_specification() -> None:
    sample = load_sample("refunds")
    arguments = {
        name: {key: value["type"] for key, value in tool["input_schema"]["properties"].items()}
        for name, tool in tools_of(sample).items()
    }
    assert arguments == {
        "read_order": {"order_id": "string"},
        "search_refund_policy": {"query": "string"},
        "draft_refund_request": {"order_id": "string", "amount_cents": "integer"},
        "issue_refund": {"order_id": "string", "amount_cents": "integer"},
    }
    for tool in sample["tools"]:
        assert set(tool["input_schema"]["required"]) == set(arguments[tool["name"]])
    assert tools_of(sample)["draft_refund_request"]["needs_approval"] is True
    assert {route["name"]: route["tools"] for route in sample["routes"]} == {
        "refund_investigation": ["read_order", "search_refund_policy", "draft_refund_request"],
        "order_status": ["read_order"],
    }
    assert sample["settings"]["strategy"] == "all"
