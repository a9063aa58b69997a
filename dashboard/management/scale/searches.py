"""What runs are looked for: each filter of the page Runs, with common and with rare values."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.http import urlencode

from catalog.models import Catalog
from dashboard.forms.runs import RunFilters
from routing.exploring.searching import Found, Mark, parse_mark, search
from routing.models import DailyCount, Run
from routing.rollups.sections import CONFIDENCE_BINS, Section

# The filters whose values are counted, each with the kind of fact that counts them.
COUNTED: Mapping[str, str] = {
    "outcome": "outcome",
    "group": "group",
    "began": "began",
    "asked": "asked",
    "tool": "called",
    "missed": "missed",
    "strategy": "strategy",
    "decided": "decided",
    "fallback": "fallback",
    "decision": "decision",
    "refused": "refused",
    "status": "status",
}
_FREE = ("group", "began", "asked", "tool", "missed", "route", "q")
"""The filters that take any words, so that nothing may be found by them."""
_BOXES = ("expanded", "silent", "explored", "without_simulated")
_NOBODY = "nothing-of-this-name"


@dataclass(frozen=True, slots=True)
class Search:
    """A search by its parameters; ``value`` tells whether they are common, rare or of nothing."""

    filters: Mapping[str, str]
    value: str

    @property
    def name(self) -> str:
        """Return the filters without what is looked for, which depends on the catalog."""
        return " and ".join(self.filters) or "no filter"

    def query(self, before: str = "") -> str:
        """Return the query of the page's URL."""
        return urlencode({**self.filters, **({"before": before} if before else {})})


def searches(catalog: Catalog, *, begins: datetime, now: datetime) -> Iterator[Search]:
    """Yield the searches for runs of a catalog, whose traffic began at a time."""
    yield Search({}, "common")
    facts = _facts(catalog)
    commonest: dict[str, str] = {}
    for field, kind in COUNTED.items():
        values = [name for name, _count in facts[kind].most_common() if name]
        if values:
            commonest[field] = values[0]
            yield Search({field: values[0]}, "common")
            yield Search({field: values[-1]}, "rare")
    for box in _BOXES:
        yield Search({box: "on"}, "common")
    yield from _confidences(facts["confidence"])
    numbers = [
        number for number, _ in catalog.versions.order_by("number").values_list("number", "pk")
    ]
    yield Search({"version": str(numbers[-1])}, "common")
    yield Search({"version": str(numbers[0])}, "rare")
    routes = Counter(
        Run.objects.filter(catalog=catalog).order_by("-pk").values_list("route", flat=True)[:5_000]
    )
    for route, _count in routes.most_common(1):
        yield Search({"route": route}, "common")
    yield Search({"q": "case"}, "common")
    yield Search({"q": "case 4711)"}, "rare")
    middle = begins + (now - begins) / 2
    hour = {"from": _minute(middle), "to": _minute(middle + timedelta(hours=1))}
    yield Search(hour, "rare")
    for pair in (("group", "asked"), ("tool", "outcome"), ("fallback", "status")):
        if set(pair) <= commonest.keys():
            yield Search({name: commonest[name] for name in pair}, "common")
    for field in _FREE:
        yield Search({field: _NOBODY}, "none")


def found_by(one: Search, *, catalog: Catalog, before: str, now: datetime) -> Found:
    """Return what a search finds, without the page around it."""
    filters = RunFilters(dict(one.filters), catalog=catalog)
    if not filters.is_valid():
        raise RuntimeError(f"{one.filters}: {filters.errors.as_json()}")
    return search(filters.wanted(now=now), before=parse_mark(before) if before else None)


def deep_mark(*, begins: datetime, now: datetime) -> str:
    """Return the mark of a page far back: two thirds of the way."""
    return str(Mark(begins + (now - begins) / 3))


def _facts(catalog: Catalog) -> Mapping[str, Counter[str]]:
    """Return in how many runs each fact is so, by kind and name."""
    rows = DailyCount.objects.filter(catalog=catalog, section=Section.FACTS)
    facts: dict[str, Counter[str]] = {kind: Counter() for kind in (*COUNTED.values(), "confidence")}
    for counts in rows.values_list("counts", flat=True).iterator():
        for key, count in counts.items():
            kind, _, name = key.partition(":")
            if kind in facts:
                facts[kind][name] += count
    return facts


def _confidences(counted: Counter[str]) -> Iterator[Search]:
    """Yield the range in which most confidences lie, and the one with fewest."""
    bins = [int(name) for name, _count in counted.most_common()]
    for at, value in ((bins[0], "common"), (bins[-1], "rare")) if bins else ():
        low, high = at / CONFIDENCE_BINS, (at + 1) / CONFIDENCE_BINS
        yield Search({"min_confidence": f"{low:.2f}", "max_confidence": f"{high:.2f}"}, value)


def _minute(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
