"""The rules of a catalog: the defaults, each as the catalog changed it, then its own."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from hashlib import sha256
from typing import Any

from dashboard.alerts.rules import DEFAULT_OF, DEFAULTS, Comparison, Metric, Rule
from dashboard.models import AlertRule

_FIELDS = tuple(field.name for field in fields(Rule))


def rules_of(catalog: int) -> Sequence[Rule]:
    """Return the rules of one catalog, those switched off too. One query."""
    return overlaid(AlertRule.objects.filter(catalog=catalog))


def rules_by_catalog(catalogs: Collection[int]) -> Mapping[int, Sequence[Rule]]:
    """Return the rules of several catalogs, by catalog. One query."""
    rows: dict[int, list[AlertRule]] = {pk: [] for pk in catalogs}
    for row in AlertRule.objects.filter(catalog__in=catalogs):
        rows[row.catalog_id].append(row)
    return {pk: overlaid(of_catalog) for pk, of_catalog in rows.items()}


def overlaid(rows: Iterable[AlertRule]) -> Sequence[Rule]:
    """Return the defaults with what rows say in their place, then the rows of no default."""
    said = {row.key: rule_of(row) for row in sorted(rows, key=lambda row: row.pk)}
    own = [rule for key, rule in said.items() if key not in DEFAULT_OF]
    return [*(said.get(rule.key, rule) for rule in DEFAULTS), *own]


def rule_of(row: AlertRule) -> Rule:
    """Return what a row says."""
    return rule_from({name: getattr(row, name) for name in _FIELDS})


def rule_from(said: Mapping[str, Any]) -> Rule:
    """Return a rule from plain values, as ``plain`` gives them."""
    values = {name: said[name] for name in _FIELDS if name in said}
    return Rule(
        **values | {"metric": Metric(said["metric"]), "comparison": Comparison(said["comparison"])}
    )


def mark_of(rule: Rule) -> str:
    """Return what tells a rule from any other, and from what it says at another time."""
    return sha256(repr(sorted(plain(rule).items())).encode("utf-8")).hexdigest()[:16]


def plain(rule: Rule) -> dict[str, Any]:
    """Return a rule as plain values, for JSON and for a row."""
    return {**asdict(rule), "metric": rule.metric.value, "comparison": rule.comparison.value}
