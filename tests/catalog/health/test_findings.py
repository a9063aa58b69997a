"""Every check: a sound catalog spoiled in one way, and what is found then."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from catalog.document import check
from catalog.health import CHECKS, Finding, MendKind, Severity, findings_of, new_warnings
from catalog.health.publishable import FIXES
from catalog.samples import SAMPLES, load_sample

Document = dict[str, Any]
Place = tuple[str, str]


def named(document: Document, kind: str, name: str) -> Any:
    return next(part for part in document[kind] if part["name"] == name)


def tool(**changes: Any) -> Callable[[Document], None]:
    """Return what changes one tool of the sample."""
    return lambda document: named(document, "tools", "find_payment").update(changes)


def argument(name: str) -> Callable[[Document], None]:
    """Return what gives one tool of the sample an argument of a name."""
    properties = {name: {"type": "string", "description": "What is looked for."}}
    return tool(input_schema={"type": "object", "properties": properties})


def group(**changes: Any) -> Callable[[Document], None]:
    """Return what changes one group of the sample."""
    return lambda document: named(document, "groups", "billing").update(changes)


def settings(**changes: Any) -> Callable[[Document], None]:
    return lambda document: document["settings"].update(changes)


def new(kind: str, **part: Any) -> Callable[[Document], None]:
    return lambda document: document[kind].append(part)


def keep(kind: str, count: int) -> Callable[[Document], None]:
    """Return what keeps the first parts of a kind only, with no reference to the others."""

    def spoil(document: Document) -> None:
        for other in ("keyword_rules", "intent_rules", "channel_rules", "routes", "phases"):
            document[other] = []
        document["settings"]["initial_phase"] = None
        document[kind] = document[kind][:count]
        left = {part["name"] for part in document["tools"]}
        for one in document["groups"]:
            one["tools"] = [name for name in one["tools"] if name in left]
        for flag in ("default_tools", "always_on"):
            document[flag] = [name for name in document[flag] if name in left]

    return spoil


def every(spoil: Callable[[Any], None], kind: str = "tools") -> Callable[[Document], None]:
    def spoil_all(document: Document) -> None:
        for part in document[kind]:
            spoil(part)

    return spoil_all


def copy_of_group(document: Document, **changes: Any) -> None:
    document["groups"].append({**named(document, "groups", "billing"), "name": "again", **changes})


def catch_all(document: Document) -> None:
    names = [part["name"] for part in document["tools"]]
    named(document, "groups", "billing")["tools"] = names


def loose(document: Document) -> None:
    document["tools"].append({**document["tools"][0], "name": "loose", "description": "Loose " * 9})


def phase(name: str, tools: list[str], then: list[str] | None = None) -> Document:
    return {"name": name, "description": "", "tools": tools, "groups": [], "next": then or []}


def phases(*following: tuple[str, list[str]], initial: str | None) -> Callable[[Document], None]:
    def spoil(document: Document) -> None:
        document["phases"] = [
            {
                "name": name,
                "description": "",
                "tools": ["find_payment"],
                "groups": [],
                "next": next_,
            }
            for name, next_ in following
        ]
        document["settings"]["initial_phase"] = initial

    return spoil


def keyword(pattern: str = "pay", **effects: list[str]) -> dict[str, Any]:
    nothing: dict[str, Any] = {
        key: [] for key in ("add_tools", "remove_tools", "add_groups", "remove_groups")
    }
    return {"pattern": pattern, **nothing, **effects}


def only_rules(kind: str, *rules: dict[str, Any]) -> Callable[[Document], None]:
    return lambda document: document.update({kind: list(rules)})


KEY = "sk-" + "a1b2c3d4" * 4
BUDGET = {"calls": 0, "tokens": None, "cost": None, "seconds": None}
ROUTE = {"name": "r", "tools": ["find_payment", "settle_bill"], "groups": [], "budget": BUDGET}
FIND = ("tools", "find_payment")
BILLING = ("groups", "billing")
W, H = Severity.WARNING, Severity.HINT

CASES: list[tuple[str, Callable[[Document], None], Place, Severity]] = [
    ("no_tools", keep("tools", 0), ("tools", ""), W),
    ("all_tools_disabled", every(lambda part: part.update(enabled=False)), ("tools", ""), W),
    ("few_tools", keep("tools", 6), ("tools", ""), H),
    ("tool_in_no_group", loose, ("tools", "loose"), W),
    ("tool_without_description", tool(description=" "), FIND, W),
    ("short_description", tool(description="Find it."), FIND, H),
    ("long_description", tool(description="Find a payment. " * 65), FIND, W),
    (
        "same_description",
        every(lambda part: part.update(description="Do what is TO be done.")),
        ("tools", "ask_user"),
        W,
    ),
    (
        "tools_begin_alike",
        lambda d: d["tools"].append(
            {**d["tools"][0], "name": "other", "description": d["tools"][0]["description"] + "!"}
        ),
        ("tools", "other"),
        H,
    ),
    (
        "arguments_without_description",
        tool(input_schema={"type": "object", "properties": {"id": {"type": "string"}}}),
        FIND,
        H,
    ),
    ("broad_tool", lambda d: d["tools"][1].update(name="run_sql"), ("tools", "run_sql"), W),
    (
        "broad_tool",
        lambda d: d["tools"][1].update(name="sendHTTPRequest"),
        ("tools", "sendHTTPRequest"),
        W,
    ),
    ("name_breaks_limits", lambda d: d["tools"][1].update(name="a.b"), ("tools", "a.b"), W),
    (
        "names_alike",
        lambda d: d["tools"][1].update(name="find-payment"),
        ("tools", "find-payment"),
        W,
    ),
    ("argument_breaks_limits", argument("filter[state]"), FIND, W),
    ("argument_breaks_limits", argument("a" * 65), FIND, W),
    ("argument_not_for_gemini", argument("order-id"), FIND, H),
    ("argument_not_for_gemini", argument("2nd"), FIND, H),
    (
        "composed_input_schema",
        tool(input_schema={"type": "object", "anyOf": [{"required": ["a"]}]}),
        FIND,
        W,
    ),
    ("destructive_without_approval", tool(side_effect="destructive"), FIND, H),
    ("no_groups", keep("groups", 0), ("groups", ""), W),
    ("one_group", keep("groups", 1), BILLING, H),
    ("group_without_tools", group(tools=[]), BILLING, W),
    (
        "group_of_disabled_tools",
        every(lambda part: part.update(enabled=False)),
        BILLING,
        W,
    ),
    ("group_too_large", catch_all, BILLING, W),
    ("catch_all_group", catch_all, BILLING, W),
    ("group_without_description", group(description=""), BILLING, W),
    ("group_says_contents", group(description="Tools of the ERP"), BILLING, H),
    ("same_group_description", copy_of_group, ("groups", "again"), W),
    ("same_members", copy_of_group, ("groups", "again"), W),
    ("group_without_examples", group(examples=[]), BILLING, H),
    ("invisible_characters", tool(description="Find\u200b a payment by its code."), FIND, W),
    ("invisible_characters", tool(examples=["Find\x07 a payment"]), FIND, W),
    ("invisible_characters", group(description="Use to pay.\U000e0041"), BILLING, W),
    ("secret_in_text", tool(description=f"Find a payment with {KEY}."), FIND, W),
    ("secret_in_text", group(examples=["password: hunter2hunter2"]), BILLING, W),
    (
        "secret_in_text",
        tool(input_schema={"type": "object", "properties": {"k": {"default": KEY}}}),
        FIND,
        W,
    ),
    (
        "secret_in_text",
        tool(input_schema={"type": "object", "description": 'Say token = "hunter2hunter2".'}),
        FIND,
        W,
    ),
    ("no_default_tools", lambda d: d.update(default_tools=[]), ("settings", "default_tools"), W),
    (
        "fallback_disabled",
        lambda d: named(d, "tools", "ask_user").update(enabled=False),
        ("tools", "ask_user"),
        W,
    ),
    ("cap_too_high", settings(max_tools=11), ("settings", "max_tools"), W),
    ("defaults_over_cap", settings(max_tools=1), ("settings", "default_tools"), W),
    (
        "many_always_on",
        lambda d: d.update(always_on=[part["name"] for part in d["tools"][:4]]),
        ("settings", "always_on"),
        H,
    ),
    ("strategy_without_material", settings(strategy="phase"), ("settings", "strategy"), W),
    (
        "no_initial_phase",
        phases(("a", []), initial=None),
        ("settings", "initial_phase"),
        W,
    ),
    (
        "unreachable_phase",
        phases(("a", ["b"]), ("b", ["a"]), ("c", ["a"]), initial="a"),
        ("phases", "c"),
        W,
    ),
    (
        "phase_without_tools",
        new("phases", name="idle", description="", tools=[], groups=[], next=[]),
        ("phases", "idle"),
        W,
    ),
    ("route_forbids_its_tool", new("routes", **ROUTE, side_effects=["read"]), ("routes", "r"), W),
    ("route_without_budget", new("routes", **ROUTE, side_effects=["read"]), ("routes", "r"), W),
    ("rule_without_effect", only_rules("keyword_rules", keyword()), ("keyword_rules", "1"), W),
    (
        "rule_of_disabled_tools",
        lambda d: (
            tool(enabled=False)(d),
            only_rules("keyword_rules", keyword(add_tools=["find_payment"]))(d),
        )[1],
        ("keyword_rules", "1"),
        W,
    ),
    (
        "rule_never_fires",
        only_rules("intent_rules", {"phrases": [" - "], "tools": [], "groups": ["billing"]}),
        ("intent_rules", "1"),
        W,
    ),
    (
        "rule_always_fires",
        only_rules("keyword_rules", keyword("(pay)?", add_groups=["billing"])),
        ("keyword_rules", "1"),
        W,
    ),
    (
        "rule_contradicts_itself",
        only_rules("keyword_rules", keyword(add_groups=["billing"], remove_groups=["billing"])),
        ("keyword_rules", "1"),
        W,
    ),
    (
        "rule_repeats",
        only_rules("channel_rules", *[{"kind": "queue", "value": "q", "groups": ["billing"]}] * 2),
        ("channel_rules", "2"),
        W,
    ),
    (
        "rule_shares_trigger",
        only_rules(
            "intent_rules",
            {"phrases": ["Pay  a bill"], "tools": [], "groups": ["billing"]},
            {"phrases": ["x", "pay a bill"], "tools": [], "groups": ["stock"]},
        ),
        ("intent_rules", "2"),
        H,
    ),
]


def found_in(document: Document) -> dict[tuple[str, Place], Finding]:
    return {(finding.code, finding.place): finding for finding in findings_of(document)}


@pytest.mark.parametrize(
    ("code", "spoil", "place", "severity"), CASES, ids=[case[0] for case in CASES]
)
def test_each_fault_is_found_at_its_place(
    code: str, spoil: Callable[[Document], None], place: Place, severity: Severity
) -> None:
    document = copy.deepcopy(load_sample("back-office"))
    assert (code, place) not in found_in(document)
    spoil(document)
    finding = found_in(document)[code, place]
    assert finding.severity is severity
    assert str(finding.reason)
    assert str(finding.fix)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_gives_no_cause_for_a_warning(name: str) -> None:
    assert {finding.severity for finding in findings_of(load_sample(name))} <= {Severity.HINT}


def test_what_a_publish_is_refused_for_is_an_error_and_comes_first() -> None:
    document = load_sample("back-office")
    tool(description="")(document)
    document["default_tools"].append("settle_bill")
    first, *others = findings_of(document)
    (problem,) = check(document)
    assert (first.code, first.severity) == ("fallback_with_side_effect", Severity.ERROR)
    assert str(first.reason) == problem.message
    assert first.mend is not None
    assert (first.mend.kind, first.mend.value) == (MendKind.CLEAR_FLAG, "is_default")
    assert Severity.ERROR not in {finding.severity for finding in others}


def test_every_refusal_of_the_document_says_what_to_do() -> None:
    codes = set()
    for spoil in refused():
        document = copy.deepcopy(load_sample("back-office"))
        spoil(document)
        codes |= {problem.code for problem in check(document)}
    assert codes == set(FIXES)


def refused() -> Iterator[Callable[[Document], None]]:
    yield lambda d: d["tools"][1].update(name="Request_Group")
    yield lambda d: d["tools"][1].update(name="FIND_PAYMENT")
    yield tool(input_schema={"type": "nonsense"})
    yield tool(input_schema={"type": "array"})
    yield lambda d: d["always_on"].append("settle_bill")
    yield lambda d: d.update(always_on=[], phases=[phase("p", ["settle_bill"])])
    yield new("routes", name="r", tools=[], groups=[], side_effects=["read"], budget=BUDGET)
    yield only_rules("keyword_rules", keyword("("))


def test_a_secret_is_never_repeated() -> None:
    document = load_sample("back-office")
    tool(description=f"Find a payment with {KEY}.")(document)
    assert KEY[:5] not in str(found_in(document)["secret_in_text", FIND])


@pytest.mark.parametrize(
    "text",
    [
        "The password: one with a letter and a digit at least",
        "Returns the api key: see the settings",
        "A task-list of risk-averse users",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩\u200d👩\u200d👧",
    ],
)
def test_plain_texts_are_left_in_peace(text: str) -> None:
    document = load_sample("back-office")
    tool(description=f"Find a payment of a customer. {text}")(document)
    assert not {code for code, place in found_in(document) if place == FIND}


def test_the_mend_of_a_text_takes_out_only_what_nobody_sees() -> None:
    document = load_sample("back-office")
    tool(description="Find a\u202e pay\u00adment\n by its code.")(document)
    mend = found_in(document)["invisible_characters", FIND].mend
    assert mend is not None
    assert mend.value == "Find a payment\n by its code."


def test_new_warnings_are_those_of_other_codes_or_places() -> None:
    before = load_sample("back-office")
    tool(description="")(before)
    after = copy.deepcopy(before)
    settings(max_tools=20)(after)
    group(examples=[])(after)
    found = new_warnings(findings_of(before), findings_of(after))
    assert [finding.code for finding in found] == ["cap_too_high"]
    assert new_warnings(findings_of(after), findings_of(before)) == []


def test_a_key_tells_findings_apart_and_holds() -> None:
    document = load_sample("back-office")
    every(lambda part: part.update(description=""))(document)
    keys = [finding.key for finding in findings_of(document)]
    assert len(set(keys)) == len(keys)
    assert keys == [finding.key for finding in findings_of(copy.deepcopy(document))]


def test_an_empty_document_is_read() -> None:
    document = load_sample("back-office")
    for kind, parts in document.items():
        if isinstance(parts, list):
            document[kind] = []
    document["settings"]["initial_phase"] = None
    assert [finding.code for finding in findings_of(document)] == ["no_tools"]


def test_checks_are_named_once() -> None:
    assert len({check.__name__ for check in CHECKS}) == len(CHECKS)
