"""Make a draft say what a document says, and keep the rows of all that stays.

``catalog.drafting`` fills a draft that is empty; this changes one that is not: to restore a
version, to take an exported one in.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from catalog.freezing import TOOL_FIELDS
from catalog.models import Catalog
from catalog.recording.blocks import recorded
from catalog.recording.ledger import Operation
from catalog.recording.rows import Reference, References, Row, read_rows
from catalog.recording.sections import SECTIONS, Section
from catalog.recording.writing import Rewrite, write_rows

SETTINGS = ("strategy", "threshold", "max_tools", "inclusive", "exploration")
Rows = dict[int, Row]
# The place of what is not there yet: after all that is.
LAST = 2**63


def write_document(
    *, catalog: Catalog, document: Mapping[str, Any], action: str = "restore", note: str = ""
) -> Operation:
    """Make the draft of a catalog say exactly what ``document`` says, and return the operation.

    ``document`` has the shape of document.schema.json; its format, catalog and revisions are
    ignored, so that freezing afterwards gives the same document but for those. Parts are the same
    by name, channel rules by channel, other rules by what they match: their rows stay, so that
    what points to them does. What a document does not hold (whether texts are kept) stays.

    Inside ``recorded`` of the catalog it is a part of that operation. Runs few queries whatever the
    size. Raises ``KeyError`` for a name that the document does not define; nothing changed then.
    """
    with recorded(catalog=catalog, action=action, note=note) as operation:
        wanted = _Wanted(catalog, document, operation.using)
        write_rows(catalog=catalog, plan=wanted.plan())
    return operation


class _Wanted:
    """The rows that a document asks for, beside those that are there."""

    def __init__(self, catalog: Catalog, document: Mapping[str, Any], using: str) -> None:
        self._catalog = catalog
        self._document = document
        self._now = {
            kind: read_rows(section, _pks(section, catalog, using), using=using)
            for kind, section in SECTIONS.items()
        }
        # What is asked for in each section, in its order: the row of each, made where there is
        # none, and by name, so that others can refer to it.
        self._rows = {
            kind: self._rows_of(section) for kind, section in SECTIONS.items() if section.ordered
        }
        self._by_name = {
            kind: {row.columns["name"]: pk for pk, row in rows.items() if "name" in row.columns}
            for kind, rows in self._rows.items()
        }

    def plan(self) -> dict[str, dict[int, Rewrite]]:
        """Return what to write."""
        plan = {"settings": self._settings()}
        for kind, rows in self._rows.items():
            section, now = SECTIONS[kind], self._now[kind]
            values = self._document[kind]
            wanted = {
                pk: Row(row.columns, self._links(section, now[pk], value))
                for (pk, row), value in zip(rows.items(), values, strict=True)
            }
            gone: dict[int, Row | None] = dict.fromkeys(now.keys() - wanted.keys())
            plan[kind] = {pk: Rewrite(now[pk], row) for pk, row in {**gone, **wanted}.items()}
        return plan

    def _settings(self) -> dict[int, Rewrite]:
        [(pk, now)] = self._now["settings"].items()
        said = {name: self._document["settings"][name] for name in SETTINGS}
        columns = {**now.columns, **said, "title": self._document["title"]}
        return {pk: Rewrite(now, Row(columns))}

    def _rows_of(self, section: Section) -> Rows:
        """Return the rows of a section by primary key, in the order and as they should be."""
        now = self._now[section.kind]
        there: dict[object, list[int]] = defaultdict(list)
        for old, row in sorted(now.items(), key=lambda one: (one[1].columns["position"], one[0])):
            there[_key(section.kind, row.columns)].append(old)
        asked = [self._columns(section.kind, value) for value in self._document[section.kind]]
        keys = [_key(section.kind, columns) for columns in asked]
        pks = [there[key].pop(0) if there[key] else None for key in keys]
        made = section.model.objects.bulk_create(
            section.model(
                catalog=self._catalog,
                position=place,
                **{**columns, **({"initial": False} if section.kind == "phases" else {})},
            )
            for place, (columns, pk) in enumerate(zip(asked, pks, strict=True))
            if pk is None
        )
        new = iter(made)
        rows: Rows = {}
        for columns, known in zip(asked, pks, strict=True):
            pk = known or 0
            if known is None:
                own = next(new)
                pk = own.pk
                bare = {name: getattr(own, name) for name in (*section.columns, "position")}
                now[pk] = Row(bare, {link.field: {} for link in section.links})
            rows[pk] = Row({**columns, "position": now[pk].columns["position"]})
        return dict(zip(rows, _in_order(rows), strict=True))

    def _columns(self, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
        if kind == "tools":
            standing = {
                "is_default": value["name"] in self._document["default_tools"],
                "always_on": value["name"] in self._document["always_on"],
            }
            return {**{field: value[field] for field in TOOL_FIELDS}, **standing}
        columns = {name: value[name] for name in SECTIONS[kind].columns if name in value}
        if kind == "phases":
            columns["initial"] = value["name"] == self._document["settings"]["initial_phase"]
        if kind == "routes":
            columns |= {f"budget_{name}": amount for name, amount in value["budget"].items()}
        return columns

    def _links(self, section: Section, now: Row, value: Mapping[str, Any]) -> dict[str, Any]:
        links: dict[str, Any] = {}
        for link in section.links:
            known, names = self._by_name[link.to], value[link.field]
            targets = {known[name]: Reference(name) for name in names}
            links[link.field] = _placed(now.links[link.field], targets) if link.placed else targets
        return links


def _key(kind: str, columns: Mapping[str, Any]) -> object:
    """Return what makes a part of a document and a row the same part."""
    if kind == "keyword_rules":
        return columns["pattern"]
    if kind == "intent_rules":
        return tuple(columns["phrases"])
    if kind == "channel_rules":
        return columns["kind"], columns["value"]
    return columns["name"]


def _pks(section: Section, catalog: Catalog, using: str) -> Sequence[int]:
    if not section.ordered:
        return [catalog.pk]
    rows = section.model.objects.using(using).filter(catalog=catalog).order_by("pk")
    return list(rows.values_list("pk", flat=True))


def _in_order(rows: Rows) -> Iterable[Row]:
    """Keep the positions where they put the rows in this order already; number them otherwise."""
    places = [(row.columns["position"], pk) for pk, row in rows.items()]
    if all(one < next_one for one, next_one in pairwise(places)):
        return list(rows.values())
    return [Row({**row.columns, "position": n}) for n, row in enumerate(rows.values())]


def _placed(now: References, targets: References) -> dict[int, Reference]:
    """Give references their places, those that they have where these are in order already."""
    last = max((one.position or 0 for one in now.values()), default=-1)
    placed: dict[int, Reference] = {}
    for pk, reference in targets.items():
        if pk in now:
            placed[pk] = now[pk]._replace(name=reference.name)
        else:
            last += 1
            placed[pk] = reference._replace(position=last)
    places = [(one.position or 0, one.place or LAST) for one in placed.values()]
    if all(one < next_one for one, next_one in pairwise(places)):
        return placed
    return {pk: one._replace(position=n) for n, (pk, one) in enumerate(placed.items())}
