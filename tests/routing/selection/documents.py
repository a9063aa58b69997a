"""Small documents for tests, in the shape that publishing freezes."""

from __future__ import annotations

from typing import Any

from routing.selection import Index, Selection, compile_index


def tool(name: str, **fields: Any) -> dict[str, Any]:
    """Return a tool of a document; reads unless told otherwise."""
    return {
        "name": name,
        "title": "",
        "description": "",
        "side_effect": "read",
        "enabled": True,
        "capability": "",
        "input_schema": {},
        "examples": [],
    } | fields


def document(**parts: Any) -> dict[str, Any]:
    """Return a document with the parts given and nothing else in it."""
    empty: dict[str, Any] = {
        "format": 1,
        "catalog": "small",
        "settings": {},
        "tools": [],
        "groups": [],
        "default_tools": [],
        "always_on": [],
        "phases": [],
        "keyword_rules": [],
        "intent_rules": [],
        "channel_rules": [],
        "routes": [],
    }
    return empty | parts


def office(**parts: Any) -> dict[str, Any]:
    """Return a document of seven tools in two groups, one of none and one always-on."""
    tools = [
        tool("ask_user", description="Ask the person a question."),
        tool("check_stock", description="Say how many pieces a warehouse holds."),
        tool("reserve_stock", description="Set pieces aside.", side_effect="write"),
        tool(
            "find_payment",
            description="Find the payment of an order.",
            capability="billing.read",
        ),
        tool(
            "settle_bill",
            description="Mark a bill as paid.",
            side_effect="write",
            capability="billing.write",
        ),
        tool("convert_currency", description="Convert an amount of money."),
        tool("old_report", description="Print the report of last year.", enabled=False),
    ]
    groups = [
        {
            "name": "billing",
            "description": "Use to reconcile payments and settle bills.",
            "tools": ["settle_bill", "find_payment", "old_report"],
            "examples": [],
        },
        {
            "name": "stock",
            "description": "Use to see what the warehouse holds and to set it aside.",
            "tools": ["check_stock", "reserve_stock"],
            "examples": [],
        },
    ]
    base = document(
        catalog="office",
        settings={"strategy": "auto", "threshold": 0.6, "max_tools": 7},
        tools=tools,
        groups=groups,
        default_tools=["find_payment", "check_stock"],
        always_on=["ask_user"],
    )
    return base | parts


def lexical(source: dict[str, Any]) -> Index:
    """Return the document's index without an encoder."""
    return compile_index(source, encoder=None, vectors={})


def names(index: Index, selection: Selection) -> list[str]:
    """Return the names of the selected tools in the order served."""
    return [index.tools[position] for position in selection.tools]


def reasons(selection: Selection) -> dict[str, str]:
    """Return why each tool was kept or, among the nearest misses, dropped."""
    kept = {item.tool: item.reason.value for item in selection.included}
    return kept | {item.tool: item.reason.value for item in selection.omitted}
