"""What each page of a catalog costs the server: seconds of the processor, and queries."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalog.models import Catalog

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTime:
    """What one page took. ``first`` is with nothing kept from before, ``again`` the least after."""

    name: str
    url: str
    status: int
    first: float
    again: float
    queries: int
    size: int

    def record(self) -> dict[str, object]:
        """Return what is measured as JSON."""
        return {
            "page": self.name,
            "url": self.url,
            "first_ms": round(self.first * 1000),
            "again_ms": round(self.again * 1000),
            "queries": self.queries,
            "kilobytes": round(self.size / 1000),
        }


def pages_of(catalog: Catalog) -> dict[str, str]:
    """Return the address of every page of a catalog by its name, and of some with a search.

    A page that belongs to a part is that of the first such part. What is only sent to is left out
    by ``measured``.
    """
    found: dict[str, str] = {}
    for namespace, pattern in _patterns(get_resolver().url_patterns):
        known = _known(catalog)
        wanted = set(pattern.pattern.converters)
        if "catalog" in wanted and wanted <= known.keys():
            name = f"{namespace}:{pattern.name}"
            found[name] = reverse(name, kwargs={key: known[key] for key in wanted})
    for name, query in _SEARCHES:
        found[f"{name}?{query}"] = f"{found[name]}?{query}"
    return found


_SEARCHES = (
    ("catalog:tools", "q=payment&sort=tokens"),
    ("catalog:tools", "page=9"),
    ("catalog:groups", "q=payment&group_q=department_05"),
    ("catalog:groups", "page=3&columns=4"),
    ("catalog:route", "show=denied&q=stock"),
    ("dashboard:health", "severity=hint&page=2"),
    ("dashboard:draft", "page=3"),
)


def _known(catalog: Catalog) -> Mapping[str, object]:
    """Return what stands in the places of an address, as far as the catalog has it."""
    version = catalog.versions.order_by("-number").first()
    rule = catalog.keywordrules.first()
    parts = {
        "tool": catalog.tools.first(),
        "group": catalog.groups.first(),
        "phase": catalog.phases.first(),
        "route": catalog.routes.first(),
    }
    return {
        "catalog": catalog.name,
        **{kind: part.name for kind, part in parts.items() if part is not None},
        **({"number": version.number} if version is not None else {}),
        **({"kind": "keyword", "rule": rule.pk} if rule is not None else {}),
    }


def _patterns(
    of: Iterable[URLPattern | URLResolver], namespace: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for one in of:
        if isinstance(one, URLResolver):
            yield from _patterns(one.url_patterns, one.namespace or namespace)
        elif namespace in ("catalog", "dashboard"):
            yield namespace, one


def measured(
    *, client: Client, pages: Mapping[str, str], rounds: int, clock: Clock
) -> Iterator[PageTime]:
    """Ask for each page once, then ``rounds`` times more, and yield what it took.

    ``clock`` counts seconds of this process's processor time. What only takes what is sent (405)
    or leads elsewhere is left out.
    """
    for name, url in pages.items():
        started = clock()
        answer, size = _asked(client, url)
        first = clock() - started
        if answer.status_code != 200:
            continue
        again = []
        for _ in range(rounds):
            started = clock()
            _asked(client, url)
            again.append(clock() - started)
        with CaptureQueriesContext(connection) as captured:
            _asked(client, url)
        yield PageTime(
            name=name,
            url=url,
            status=answer.status_code,
            first=first,
            again=min(again),
            queries=len(captured),
            size=size,
        )


def _asked(client: Client, url: str) -> tuple[HttpResponseBase, int]:
    """Return the answer and its size; one that streams is read to its end."""
    answer = client.get(url)
    if answer.streaming:
        return answer, sum(len(part) for part in answer)
    return answer, len(answer.content)
