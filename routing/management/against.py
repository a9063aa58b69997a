"""``evaluate REF --dataset D --against REF``: two evaluations of a dataset, compared."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from routing.datasets.asking import Setting, subject_name
from routing.datasets.comparing import Comparison, Turn, compare
from routing.evaluation.diverting import Destination
from routing.evaluation.side_by_side import Compared
from routing.evaluation.tables import aligned, number
from routing.management.datasets import dataset_of, evaluated, named_subject
from routing.models import EvalRun

MOST_WAYS = 10


def compared(options: Mapping[str, Any]) -> str:
    """Return what to print: a table, or JSON; both evaluations are kept. Raises ``CommandError``.

    ``--against`` is what was before. With one strategy both are asked for that one, with two the
    first is the one before.
    """
    if not options["ref"] or not options["dataset"]:
        raise CommandError("--against goes with REF and --dataset D.")
    strategies = options["strategy"] or [""]
    if len(strategies) > 2:
        raise CommandError("--against compares two: name one strategy, or one for each.")
    after, before = named_subject(options["ref"]), named_subject(options["against"])
    if after.catalog != before.catalog:
        raise CommandError("Both versions are of one catalog, whose dataset it is.")
    dataset = dataset_of(dict(options), catalog=after.catalog)
    runs = [
        evaluated(
            dataset,
            subject,
            Setting(strategy=strategy, part=options["part"] or "", seed=options["seed"]),
        )
        for subject, strategy in ((before, strategies[0]), (after, strategies[-1]))
    ]
    value = _value(compare(*runs), runs)
    return _json(value) if options["json"] else "\n".join(_lines(value))


def _value(comparison: Comparison, runs: list[EvalRun]) -> dict[str, Any]:
    numbers = {
        turn.value: [one.number for one in comparison.pairs if one.turn is turn] for turn in Turn
    }
    return {
        "cases": len(comparison.pairs),
        "before": {"run": runs[0].number, "ref": subject_name(runs[0])},
        "after": {"run": runs[1].number, "ref": subject_name(runs[1])},
        "measures": {name: _measure(one) for name, one in comparison.measures().items()},
        **{turn: found for turn, found in numbers.items() if turn != Turn.SAME},
        "diverted": [
            {"from": _place(way.before), "to": _place(way.after), "cases": list(way.keys)}
            for way in comparison.diversions()
        ],
        "not_compared": [{"case": one.number, "why": one.why.value} for one in comparison.apart],
    }


def _measure(one: Compared) -> dict[str, Any]:
    found: dict[str, Any] = {"before": one.before, "after": one.after}
    if one.difference is not None:
        found |= {"difference": one.difference.value, "interval": one.difference.interval}
    if one.test is not None:
        test = one.test
        found |= {"p_value": test.p_value, "test": test.test, "lost": test.lost, "won": test.won}
    return found


def _place(goes: Destination) -> str:
    return f"{goes.kind} {' + '.join(goes.names)}".strip()


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _lines(value: dict[str, Any]) -> list[str]:
    head = ["", value["before"]["ref"], value["after"]["ref"], "difference", "95 %", "p"]
    lines = aligned([head, *(_row(name, one) for name, one in value["measures"].items())])
    for turn in (Turn.REGRESSED, Turn.GAINED, Turn.CHANGED):
        numbers = value[turn.value]
        shown = f": {' '.join(map(str, numbers))}" if numbers and turn is not Turn.CHANGED else ""
        lines.append(f"{turn.value} {len(numbers)}{shown}")
    ways = value["diverted"]
    lines += [f"{way['from']} -> {way['to']}: {len(way['cases'])}" for way in ways[:MOST_WAYS]]
    if len(ways) > MOST_WAYS:
        lines.append(f"and {len(ways) - MOST_WAYS} more ways")
    if value["not_compared"]:
        lines.append(f"not compared {len(value['not_compared'])}")
    return lines


def _row(name: str, one: Mapping[str, Any]) -> list[str]:
    interval = one.get("interval")
    return [
        name,
        number(one["before"]),
        number(one["after"]),
        f"{one['difference']:+.3f}" if "difference" in one else "",
        f"{interval[0]:+.3f} to {interval[1]:+.3f}" if interval else "",
        number(one["p_value"]) if "p_value" in one else "",
    ]
