"""What a fit says in the end, as a row keeps it and as a page and a terminal show it.

``{"version", "release", "datasets": {name: cases}, "learn", "judge", "passed_over", "parts",
"measures", "reliability"}``. A part is ``{"taken", "reason", "values", "cases", "before",
"after"}``: ``reason`` is a message to translate, and ``values`` fill it. ``measures`` and
``reliability`` are as ``routing.learning.judging`` has them, of the cases to judge by.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from routing.learned.gathering import Material
from routing.learning.deciding import Learned, Part
from routing.learning.judging import compared, reliability
from routing.models import Release


def report_of(
    learned: Learned, material: Material, *, release: Release, seed: int
) -> dict[str, Any]:
    """Return what a fit says; a JSON value."""
    before, after = learned.outcomes
    return {
        "version": release.version.number,
        "release": release.number,
        "datasets": dict(material.datasets),
        "learn": len(material.learn),
        "judge": len(material.judge),
        "passed_over": material.passed_over,
        "parts": {name: _written(part) for name, part in learned.parts.items()},
        "measures": compared(before, after, seed=seed) if len(material.judge) else {},
        "reliability": {"before": reliability(before), "after": reliability(after)},
    }


def why(part: Mapping[str, Any]) -> str:
    """Return why a part of a report was taken or not, in the reader's language."""
    said: str = gettext(part["reason"]) % part["values"]
    return said


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """Return what a report says, for a terminal."""
    datasets = ", ".join(f"{name} ({count})" for name, count in report["datasets"].items())
    yield (
        f"Learned from {report['learn']} cases and judged by {report['judge']} others "
        f"of {datasets or 'no dataset'}."
    )
    for name, part in report["parts"].items():
        yield f"{name}: {'taken' if part['taken'] else 'not taken'}. {why(part)}"
        for figure, value in (part["before"] or {}).items():
            after = (part["after"] or {}).get(figure)
            yield f"  {figure} {value:.3f} -> {'-' if after is None else f'{after:.3f}'}"
    for name, measure in report["measures"].items():
        sides = [
            "-" if measure[side] is None else f"{measure[side]:.3f}" for side in ("before", "after")
        ]
        low_high = measure["interval"]
        sure = f" (difference {low_high[0]:+.3f} to {low_high[1]:+.3f})" if low_high else ""
        yield f"{name} {sides[0]} -> {sides[1]}{sure}"


def _written(part: Part) -> dict[str, Any]:
    return {
        "taken": part.taken,
        "reason": part.reason.template,
        "values": dict(part.reason.values),
        "cases": part.cases,
        "before": part.before,
        "after": part.after,
    }
