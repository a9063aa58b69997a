"""Read rows of a draft as the audit log compares and keeps them, many at once in few queries."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from catalog.document import canonical_bytes
from catalog.recording.sections import Link, Section

# SQLite takes some 32,000 values in one statement; this is far from it and few queries still.
AT_ONCE = 2_000


class Reference(NamedTuple):
    """One reference of a part. ``place`` and ``position`` are of the row that it is, if placed."""

    name: str
    place: int | None = None
    position: int | None = None

    @property
    def identity(self) -> tuple[int | None, int | None]:
        """Return what tells it from another to the same row: names follow renames by themselves."""
        return self.place, self.position


References = Mapping[int, Reference]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a draft: its columns, with ``position`` where it has one, and its references.

    The references of each link are by the primary key of the row that is referred to.
    """

    columns: Mapping[str, Any]
    links: Mapping[str, References] = field(default_factory=dict)


def read_rows(section: Section, pks: Collection[int], *, using: str) -> dict[int, Row]:
    """Return those of the rows that exist, by primary key. Runs a query a link, and one more."""
    found: dict[int, Row] = {}
    for some in batches(pks):
        found |= _read(section, some, using)
    return found


def _read(section: Section, pks: Sequence[int], using: str) -> dict[int, Row]:
    columns = [*section.columns, *(["position"] if section.ordered else [])]
    rows = section.model._base_manager.using(using).filter(pk__in=pks)  # noqa: SLF001 - public name
    read = rows.values("pk", *columns)
    links = {link.field: _references(link, pks, using) for link in section.links}
    return {
        values.pop("pk"): Row(
            columns=values,
            links={name: of_all.get(pk, {}) for name, of_all in links.items()},
        )
        for values in read.order_by("pk")
        for pk in [values["pk"]]
    }


def _references(link: Link, pks: Sequence[int], using: str) -> dict[int, dict[int, Reference]]:
    columns = [f"{link.owner}_id", f"{link.target}_id", f"{link.target}__name"]
    columns += ["pk", "position"] if link.placed else []
    rows = link.through._base_manager.using(using).filter(**{f"{link.owner}__in": pks})  # noqa: SLF001
    found: dict[int, dict[int, Reference]] = {}
    for owner, target, *rest in rows.order_by("pk").values_list(*columns):
        found.setdefault(owner, {})[target] = Reference(*rest)
    return found


def same(one: object, other: object) -> bool:
    """Tell whether two values are written alike: to Python, true and one are equal."""
    if one != other:
        return False
    if isinstance(one, list | dict):
        return canonical_bytes(one) == canonical_bytes(other)
    return isinstance(one, bool) == isinstance(other, bool)


def same_references(one: References, other: References) -> bool:
    """Tell whether two parts refer to the same rows in the same order."""
    return one.keys() == other.keys() and all(
        reference.identity == other[pk].identity for pk, reference in one.items()
    )


def batches(pks: Collection[int]) -> Iterator[list[int]]:
    """Yield primary keys, as many at a time as one statement may name."""
    left = iter(pks)
    while some := list(islice(left, AT_ONCE)):
        yield some
