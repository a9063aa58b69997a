"""Outcomes for tests, written out by hand."""

from __future__ import annotations

from typing import Any

from routing.evaluation.outcomes import DEPTH, Outcome


def outcome(**fields: Any) -> Outcome:
    """Return a case of one tool, found first and served alone, with the fields given."""
    plain: dict[str, Any] = {
        "needs": 1,
        "met": (1,) * DEPTH,
        "ndcg": 1.0,
        "covered": True,
        "tools": 1,
        "proposed_covered": True,
        "proposed_tools": 1,
        "grouped": False,
        "first_group_right": False,
        "groups_covered": False,
        "groups": 0,
        "expands": False,
        "confidence": 1.0,
        "assumed": False,
        "fallback": False,
        "failed": False,
        "seconds": 0.001,
    }
    return Outcome(**(plain | fields))
