"""A small catalog and its cases, in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TOOLS = [
    ("stock: check", "Say how many pieces a warehouse holds.", "stock"),
    ("stock: reserve", "Set pieces of the warehouse aside for an order.", "stock"),
    ("billing: find payment", "Find the payment of an order.", "billing"),
    ("billing: settle", "Mark a bill as paid.", "billing"),
    ("convert currency", "Convert an amount of money.", ""),
]
CASES: list[dict[str, Any]] = [
    {"task": "how many pieces does the warehouse hold", "expected_tools": ["stock: check"]},
    {"task": "mark the bill as paid", "expected_tools": ["billing: settle"]},
    {
        "task": "find the payment and settle the bill",
        "expected_tools": ["billing: find payment", "billing: settle"],
        "expected_groups": ["billing"],
    },
    {"task": "convert dollars", "expected_tools": ["convert currency"], "history": ["an amount"]},
    {"task": "sing me a song", "expected_tools": []},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of one set, in the shape of the public ones."""
    made = tmp_path / "sets" / "office"
    made.mkdir(parents=True)
    catalog = {
        "tools": [
            {"name": name, "description": description, "group": group, "input_schema": {}}
            for name, description, group in TOOLS
        ],
        "groups": [
            {"name": "stock", "description": "Use to see what the warehouse holds."},
            {"name": "billing", "description": "Use to reconcile payments and settle bills."},
        ],
    }
    (made / "catalog.json").write_text(json.dumps(catalog))
    write_cases(made / "cases.jsonl", CASES)
    return made


def write_cases(path: Path, cases: list[dict[str, Any]]) -> None:
    """Write cases, one a line."""
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
