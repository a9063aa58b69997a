"""A document beside another, ready to be read: what a publish or a roll-back would change."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.functional import Promise

from catalog.diff import Change, Kind
from catalog.document import Problem
from catalog.documents import changes_since
from catalog.health import Finding
from catalog.models import Catalog, CatalogVersion
from catalog.publishing import FrozenDraft, freeze_and_check
from catalog.views.rules import ROWS as RULES_A_PAGE
from dashboard.words import SECTIONS
from routing.draft_health import warnings_to_explain
from routing.models import LabelMove
from routing.moves import current_move

Place = tuple[str, str]
RULES = {"keyword_rules": "keyword", "intent_rules": "intent", "channel_rules": "channel"}

# Settings of the document that a person makes on the pages of tools and groups.
_TICKED_ON_TOOLS = frozenset({"default_tools", "always_on", "initial_phase"})
# So many changed parts are shown where a page has no further ones for the rest.
SHOWN = 50
# Kinds of parts that have a page which lists them all.
_LISTED = frozenset({"tools", "groups"})


@dataclass(frozen=True, slots=True)
class PartChanges:
    """All changes of one tool, group, rule … ``edited_in`` is the catalog whose draft has it."""

    place: Place
    subject: str
    kind: Kind
    changes: tuple[Change, ...]
    edited_in: Catalog | None = None

    @property
    def url(self) -> str:
        """Return where it is edited, empty where it is no more."""
        # Worked out for those parts alone that a page shows.
        if self.edited_in is None or self.kind is Kind.REMOVED:
            return ""
        return edit_url(self.edited_in, self.place)

    @property
    def section(self) -> Promise:
        """Return what kind of thing it is, in words."""
        return SECTIONS[self.place[0]]


@dataclass(frozen=True, slots=True)
class Mending:
    """A problem that stops a publish, with the page where it is mended."""

    problem: Problem
    section: Promise
    url: str


@dataclass(frozen=True, slots=True)
class Review:
    """The draft against what is live. ``version`` is the newest one, where that has its content.

    ``warnings`` are those of the draft that nothing live has: they ask for a reason.
    """

    live: LabelMove | None
    frozen: FrozenDraft
    parts: Sequence[PartChanges]
    problems: Sequence[Mending]
    warnings: Sequence[Finding]
    version: int | None

    @property
    def is_live(self) -> bool:
        """Tell whether the draft says what is live already."""
        return self.live is not None and self.live.release.version.sha256 == self.frozen.sha256


def review_draft(catalog: Catalog) -> Review:
    """Return what publishing the draft would change now. Runs a fixed number of queries."""
    live = current_move(catalog)
    frozen = freeze_and_check(catalog)
    newest = catalog.versions.defer("document").first()
    return Review(
        live=live,
        frozen=frozen,
        parts=draft_changes(
            catalog=catalog, before=live.release.version if live else None, frozen=frozen
        ),
        problems=mendings(catalog, frozen.problems),
        warnings=warnings_to_explain(frozen=frozen, live=live),
        version=newest.number if newest and newest.sha256 == frozen.sha256 else None,
    )


def draft_changes(
    *, catalog: Catalog, before: CatalogVersion | None, frozen: FrozenDraft
) -> list[PartChanges]:
    """Return what changed up to the draft, each part with the page where it is edited."""
    return list(by_part(changes_since(before, frozen), edited_in=catalog))


def version_changes(before: CatalogVersion | None, after: CatalogVersion) -> list[PartChanges]:
    """Return what changed from one version to another; ``None`` is before the first."""
    return list(by_part(changes_since(before, after)))


def needs_reason(catalog: Catalog) -> bool:
    """Tell whether publishing the draft now asks for a reason."""
    return bool(warnings_to_explain(frozen=freeze_and_check(catalog), live=current_move(catalog)))


def count_parts(parts: Iterable[PartChanges]) -> dict[Kind, int]:
    """Return how many parts were added, removed and changed."""
    counted = Counter(part.kind for part in parts)
    return {kind: counted[kind] for kind in (Kind.ADDED, Kind.CHANGED, Kind.REMOVED)}


def shown_parts(parts: Sequence[PartChanges]) -> dict[str, object]:
    """Return what a page shows of changed parts: the first, how many are left, and the counts."""
    return {
        "parts": parts[:SHOWN],
        "parts_left": max(0, len(parts) - SHOWN),
        "counts": count_parts(parts),
    }


def by_part(
    changes: Iterable[Change], *, edited_in: Catalog | None = None
) -> Iterator[PartChanges]:
    """Yield the changes of each part together, with the page where it is edited if it is."""
    for (place, subject), group in groupby(changes, key=lambda one: (one.place, one.subject)):
        found = tuple(group)
        kind = next((change.kind for change in found if change.whole), Kind.CHANGED)
        yield PartChanges(
            place=place, subject=subject, kind=kind, changes=found, edited_in=edited_in
        )


def mendings(catalog: Catalog, problems: Iterable[Problem]) -> list[Mending]:
    """Return the problems of a draft, each with the page where it is mended."""
    return [_mending(catalog, problem) for problem in problems]


def _mending(catalog: Catalog, problem: Problem) -> Mending:
    section, _name = problem.place
    return Mending(
        problem=problem, section=SECTIONS[section], url=mending_url(catalog, problem.place)
    )


def mending_url(catalog: Catalog, place: Place) -> str:
    """Return the page where what is wrong with a part of the draft is mended."""
    # Where a kind of part has no page of its own yet, a tool is what can be changed about it.
    return edit_url(catalog, place) or reverse("catalog:tools", kwargs={"catalog": catalog.name})


def edit_url(catalog: Catalog, place: Place) -> str:  # noqa: PLR0911 - a page a kind
    """Return the page where a part of the draft is edited, empty where there is none."""
    section, name = place
    kwargs = {"catalog": catalog.name}
    if not name and section in _LISTED:  # all of that kind
        return reverse(f"catalog:{section}", kwargs=kwargs)
    if section == "tools":
        return reverse("catalog:tool", kwargs={**kwargs, "tool": name})
    if section == "groups":
        return reverse("catalog:group", kwargs={**kwargs, "group": name})
    if section in ("phases", "routes"):
        return reverse(f"catalog:{section[:-1]}", kwargs={**kwargs, section[:-1]: name})
    if section in RULES:
        # A rule has a number and no name: its list is where that number can be seen.
        page = (int(name) - 1) // RULES_A_PAGE + 1
        return f"{reverse('catalog:rules', kwargs=kwargs)}?kind={RULES[section]}&page={page}"
    if section == "settings" and name == "initial_phase":
        return reverse("catalog:phases", kwargs=kwargs)
    if section == "settings" and name not in _TICKED_ON_TOOLS:
        return reverse("catalog:settings", kwargs=kwargs)
    return ""
