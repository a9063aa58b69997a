"""How far a catalog is on its way to its first selection; read from what there is, never kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from catalog.health import Finding, Severity
from catalog.models import Catalog
from catalog.publishing import FrozenDraft, freeze_and_check
from dashboard.findings import Row, rows_of
from routing.draft_health import draft_findings, warnings_to_explain
from routing.models import ApiKey, LabelMove, Preparation, Run, Span
from routing.models.run import CASE, SIMULATED
from routing.moves import current_move

STEPS = ("catalog", "tools", "groups", "health", "publish", "key", "selection")
# So many findings are shown on the page itself.
FINDINGS = 5


@dataclass(frozen=True, slots=True)
class FirstSelection:
    """The first selection that an agent asked for, and what it got."""

    span: Span
    offered: tuple[str, ...]


class Standing:
    """What there is of a catalog; each part is read when it is asked for first."""

    def __init__(self, catalog: Catalog, *, now: datetime) -> None:
        self.catalog = catalog
        self._now = now

    @cached_property
    def tools(self) -> int:
        """Return how many tools there are."""
        return self.catalog.tools.count()

    @cached_property
    def groups(self) -> int:
        """Return how many groups there are."""
        return self.catalog.groups.count()

    @cached_property
    def loose(self) -> int:
        """Return how many tools only rules or phases can offer: in no group and not always on."""
        return self.catalog.tools.in_no_group().filter(always_on=False).count()

    @cached_property
    def frozen(self) -> FrozenDraft:
        """Return the draft as it would be published."""
        return freeze_and_check(self.catalog)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """Return what is wrong with the draft or could be better."""
        return draft_findings(self.frozen)

    @cached_property
    def shown_findings(self) -> list[Row]:
        """Return the gravest findings but hints, each with where it is mended."""
        grave = [one for one in self.findings if one.severity != Severity.HINT]
        return rows_of(self.catalog, grave[:FINDINGS])

    @cached_property
    def errors(self) -> int:
        """Return how many findings stop a publish."""
        return sum(one.severity == Severity.ERROR for one in self.findings)

    @cached_property
    def warnings(self) -> int:
        """Return how many findings ask for a reason."""
        return sum(one.severity == Severity.WARNING for one in self.findings)

    @cached_property
    def to_explain(self) -> Sequence[Finding]:
        """Return the warnings that publishing the draft asks a reason for."""
        return warnings_to_explain(frozen=self.frozen, live=self.live)

    @cached_property
    def live(self) -> LabelMove | None:
        """Return what put the live version live."""
        return current_move(self.catalog)

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """Return the document that is live."""
        return self.live.release.version.parsed() if self.live else None

    @cached_property
    def publishing(self) -> Preparation | None:
        """Return the publish that the worker is at."""
        kind = Preparation.Kind.PUBLISH
        return Preparation.objects.open().filter(catalog=self.catalog, kind=kind).first()

    @cached_property
    def key(self) -> ApiKey | None:
        """Return the newest key of this catalog that may ask it for a selection.

        One of every catalog is no agent's of this one: that of the demo would skip the step.
        """
        return self._newest(ApiKey.objects.usable(now=self._now).filter(catalogs=self.catalog))

    @cached_property
    def key_of_all(self) -> ApiKey | None:
        """Return the newest key of every catalog that may ask for a selection."""
        return self._newest(ApiKey.objects.usable(now=self._now).filter(all_catalogs=True))

    @staticmethod
    def _newest(keys: QuerySet[ApiKey]) -> ApiKey | None:
        newest = keys.order_by("-created_at", "-pk").distinct()
        return next((key for key in newest if ApiKey.Action.SELECT in key.actions), None)

    @cached_property
    def first(self) -> FirstSelection | None:
        """Return the first selection that was not simulated."""
        return first_selection_of(self.catalog)

    @cached_property
    def done(self) -> dict[str, bool]:
        """Return which steps are behind the owner."""
        return {
            "catalog": True,
            "tools": self.tools > 0,
            "groups": self.groups > 0,
            "health": self.groups > 0 and (self.live is not None or not self.errors),
            "publish": self.live is not None,
            "key": self.key is not None or self.first is not None,
            "selection": self.first is not None,
        }

    @property
    def current(self) -> str | None:
        """Return the step that is next, ``None`` once all are done."""
        return next((step for step in STEPS if not self.done[step]), None)


def first_selection_of(catalog: Catalog) -> FirstSelection | None:
    """Return the first selection that an agent asked for, ``None`` before there is one."""
    selections = Span.objects.filter(name=Span.Name.ROUTE)
    runs = Run.objects.filter(Exists(selections.filter(run=OuterRef("pk"))), catalog=catalog)
    run = runs.exclude(source__in=(SIMULATED, CASE)).order_by("started_at", "pk").first()
    if run is None:
        return None
    of_run = selections.filter(run=run).select_related("run", "release__version")
    span = of_run.order_by("pk")[0]
    tools = span.release.version.parsed()["tools"]
    return FirstSelection(span, tuple(tools[number]["name"] for number in span.offered))
