"""What an evaluation says: measures as JSON values, and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from routing.evaluation.curve import coverage_curve
from routing.evaluation.intervals import intervals
from routing.evaluation.measures import measured
from routing.evaluation.outcomes import Outcomes
from routing.evaluation.tables import aligned, number

DIGITS = 6


def report(
    outcomes: Mapping[str, Outcomes],
    *,
    seed: int | None = None,
    curve: bool = False,
) -> dict[str, Any]:
    """Return ``{"cases": n, "strategies": {name: {measure: value}}}``.

    With a ``seed`` each strategy has ``intervals`` as well (``{measure: [low, high]}``), with
    ``curve`` the ``curve`` of coverage against size.
    """
    found: dict[str, Any] = {}
    for name, of_strategy in outcomes.items():
        found[name] = {key: _rounded(value) for key, value in measured(of_strategy).items()}
        if seed is not None:
            found[name]["intervals"] = {
                key: [_rounded(end) for end in value] if value else None
                for key, value in intervals(of_strategy, seed=seed).items()
            }
        if curve:
            found[name]["curve"] = _curve(of_strategy)
    count = len(next(iter(outcomes.values()))) if outcomes else 0
    return {"cases": count, "strategies": found}


def table(value: Mapping[str, Any]) -> list[str]:
    """Return a report as lines: a measure a row, a strategy a column."""
    strategies: Mapping[str, Mapping[str, Any]] = value["strategies"]
    names = list(strategies)
    measures = [
        key
        for key in next(iter(strategies.values()), {})
        if key not in ("intervals", "curve")
        and any(strategies[name][key] is not None for name in names)
    ]
    rows = [["", *names]]
    rows += [[key, *(_cell(strategies[name], key) for name in names)] for key in measures]
    # Cases that expect nothing have no curve.
    curve = next(iter(strategies.values()), {}).get("curve") or {}
    for place in range(len(curve.get("fixed", ()))):
        fixed = [number(strategies[name]["curve"]["fixed"][place]) for name in names]
        rows.append([f"coverage at {place + 1}", *fixed])
    return [f"{value['cases']} cases", *aligned(rows)]


def _cell(measures: Mapping[str, Any], key: str) -> str:
    shown = number(measures[key])
    interval = measures.get("intervals", {}).get(key)
    return f"{shown} [{number(interval[0])}, {number(interval[1])}]" if interval else shown


def _curve(outcomes: Outcomes) -> dict[str, Any] | None:
    curve = coverage_curve(outcomes)
    if curve is None:
        return None
    return {
        "fixed": [_rounded(value) for value in curve.fixed],
        "served": [_rounded(value) for value in curve.served],
        "proposed": [_rounded(value) for value in curve.proposed],
        "equal_size": _rounded(curve.equal_size),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
