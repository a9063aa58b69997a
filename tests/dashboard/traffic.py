"""Rows of spans and runs, written past the services so that a test can say what is in each."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from catalog.models import Catalog, CatalogVersion
from routing.models import ApiKey, Release, Run, Span
from routing.spans import hour_of, write_span

NOON = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)


class Traffic:
    """Traffic of one catalog, with a key and a release that it needs and nothing else looks at."""

    def __init__(self, name: str = "shop", *, now: datetime = NOON) -> None:
        self.now = now
        self.catalog = Catalog.objects.create(name=name, title=name.title())
        version = CatalogVersion.objects.create(
            catalog=self.catalog, number=1, document=b"{}", sha256="0" * 64, created_at=now
        )
        self.release = Release.objects.create(
            catalog=self.catalog, number=1, version=version, encoder="", created_at=now
        )
        self.key = ApiKey.objects.create(name=name, digest=uuid4().hex, created_at=now)

    @classmethod
    def of(cls, catalog: Catalog, *, now: datetime = NOON) -> "Traffic":
        """Return traffic of a catalog that has a release: its tools have names."""
        traffic = cls.__new__(cls)
        traffic.now, traffic.catalog = now, catalog
        traffic.release = Release.objects.filter(catalog=catalog).latest("pk")
        traffic.key = ApiKey.objects.create(name="traffic", digest=uuid4().hex, created_at=now)
        return traffic

    def run(self, *, at: datetime | None = None, outcome: str = "", source: str = "api") -> Run:
        """Begin a run, and end it where an outcome is named."""
        run = Run.objects.create(
            key=self.key,
            run_id=uuid4().hex,
            catalog=self.catalog,
            release=self.release,
            outcome=outcome,
            source=source,
            started_at=at or self.now,
        )
        if outcome:
            now = at or self.now
            write_span(run=run, name=Span.Name.OUTCOME, now=now, source=source, status=outcome)
        return run

    def select(self, *, at: datetime | None = None, run: Run | None = None, **fields: Any) -> Span:
        """Write a selection; without a run it begins one."""
        at = at or self.now
        source = fields.pop("source", "api")
        values: dict[str, Any] = {
            "confidence": 0.8,
            "decided_by": "embedding",
            "groups_count": 1,
            "tokens_selected": 200,
            "tokens_catalog": 1000,
            "latency_us": 3000,
        }
        return write_span(
            run=run or self.run(at=at, source=source),
            name=Span.Name.ROUTE,
            now=at,
            source=source,
            **values | fields,
        )

    def expand(self, selection: Span, group: str = "stock", **fields: Any) -> Span:
        """Write an expansion that adds a group and 100 tokens to the one before it."""
        last = Span.objects.filter(selection=selection).order_by("pk").last() or selection
        values: dict[str, Any] = {
            "groups_count": last.groups_count + 1,
            "tokens_selected": last.tokens_selected + 100,
            "source": selection.source,
        }
        at = fields.pop("at", selection.time + timedelta(seconds=5))
        return write_span(
            run=selection.run,
            name=Span.Name.EXPAND,
            now=at,
            selection=selection,
            group=group,
            **values | fields,
        )

    def span(
        self, selection: Span, *, name: Span.Name, at: datetime | None = None, **fields: Any
    ) -> Span:
        """Write any other span of a selection's run."""
        return write_span(
            run=selection.run,
            name=name,
            now=at or self.now,
            selection=selection,
            **{"source": selection.source} | fields,
        )


def hour(text: str) -> int:
    """Return the hour of an ISO time."""
    return hour_of(datetime.fromisoformat(text))
