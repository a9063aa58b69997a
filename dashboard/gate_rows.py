"""A check of the gate, laid out for reading: what falls, both sides, what goes elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalog.documents import changes_since
from catalog.models import Catalog
from catalog.publishing import FrozenDraft
from dashboard.reviews import PartChanges, by_part
from dashboard.words import SECTIONS
from routing.evaluation.diverting import FALLBACK, NOTHING
from routing.gate.rules import CASE, TASK
from routing.gate_checks.checking import rows_of
from routing.gate_checks.rows import Row
from routing.models import EvalCase, GateCheck, Text

LOST = 50
"""Lost tasks that a page lists."""
WAYS, TASKS_OF_A_WAY = 20, 5
_NOTHING: Mapping[str, frozenset[str]] = {}
_SETS: Mapping[str, Promise] = {
    CASE: gettext_lazy("Gate set"),
    TASK: gettext_lazy("Last week's tasks"),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure on both sides; ``sure`` is the interval of the difference, in words.

    ``state`` is ``better`` or ``worse`` where the interval leaves out no difference at all.
    """

    label: str
    before: str
    after: str
    sure: str
    state: str = ""


@dataclass(frozen=True, slots=True)
class SetOf:
    """The measures of a set of tasks."""

    label: Promise
    count: int
    judged: int
    measures: Sequence[Measure]


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task that was tried: its words where they are kept, and where it is looked at."""

    row: Row
    words: str
    url: str

    @property
    def needs(self) -> list[tuple[str, bool]]:
        """Return what it needs, each with whether it would get it."""
        missing = self.row.after.missing
        return [(name, place not in missing) for place, name in enumerate(self.row.needs)]


@dataclass(frozen=True, slots=True)
class Way:
    """Tasks that go from here to there, and the changes that may have done it."""

    before: str
    after: str
    count: int
    tasks: Sequence[TaskLine]
    changes: Sequence[PartChanges]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of a check: the first of what is lost and of the ways, and how many are."""

    sets: Sequence[SetOf]
    lost: Sequence[TaskLine]
    lost_count: int
    lost_left: int
    gained_count: int
    ways: Sequence[Way]
    ways_left: int
    diverted: int
    look_alikes: Sequence[tuple[str, str, str]]
    look_alikes_known: bool
    skipped: int


def lay_out(
    *,
    catalog: Catalog,
    report: Mapping[str, Any],
    rows: Sequence[Row],
    changes: Sequence[PartChanges] = (),
    members: Mapping[str, frozenset[str]] = _NOTHING,
    ways: int = WAYS,
    lost: int = LOST,
) -> Shown:
    """Return a report with its rows for a page.

    ``changes`` are those of the document against what was live, ``members`` the tools of its
    groups: they tell which change lies in a way.
    """
    shown_ways = report["diverted"][:ways]
    places = [place for way in shown_ways for place in way["places"][:TASKS_OF_A_WAY]]
    lines = _lines(catalog, rows, [*report["lost"][:lost], *places])
    look_alikes = report.get("look_alikes", {"known": False, "pairs": ()})
    return Shown(
        sets=[
            SetOf(_SETS[kind], said["n"], said["judged"], list(_measures(said)))
            for kind, said in report["sets"].items()
        ],
        lost=[lines[place] for place in report["lost"][:lost]],
        lost_count=len(report["lost"]),
        lost_left=max(0, len(report["lost"]) - lost),
        gained_count=len(report["gained"]),
        ways=[_way(way, rows, lines, changes, members) for way in shown_ways],
        ways_left=max(0, len(report["diverted"]) - ways),
        diverted=sum(said["diverted"] for said in report["sets"].values()),
        look_alikes=[
            (str(SECTIONS[kind]), one, other) for kind, one, other, *_counts in look_alikes["pairs"]
        ],
        look_alikes_known=look_alikes["known"],
        skipped=report["asked"] - len(rows),
    )


def lay_out_check(check: GateCheck, frozen: FrozenDraft, **shape: int) -> Shown:
    """Return a finished check for its page; ``frozen`` is the draft as it is now."""
    changes, members = changes_of(check, frozen)
    return lay_out(
        catalog=check.catalog,
        report=check.report,
        rows=rows_of(check),
        changes=changes,
        members=members,
        **shape,
    )


def changes_of(
    check: GateCheck, frozen: FrozenDraft
) -> tuple[list[PartChanges], dict[str, frozenset[str]]]:
    """Return what changed in the document of a check, and the tools of its groups.

    Nothing where the check is of a draft that is no more.
    """
    after = check.version or (frozen if frozen.sha256 == check.sha256 else None)
    if after is None:
        return [], {}
    edited_in = None if check.version else check.catalog
    changes = changes_since(check.against.version, after)
    value = after.value if isinstance(after, FrozenDraft) else after.parsed()
    members = {group["name"]: frozenset(group["tools"]) for group in value["groups"]}
    return list(by_part(changes, edited_in=edited_in)), members


def way_words(kind: str, names: Sequence[str]) -> str:
    """Return where tasks come from or go to, in words."""
    if kind == NOTHING:
        return _("nothing in its stead")
    if kind == FALLBACK:
        return _("the default tools: nothing was sure enough")
    return ", ".join(names)


def _measures(said: Mapping[str, Any]) -> Iterator[Measure]:
    sure = said["difference"]
    if said["coverage"]:
        yield _measure(
            _("Coverage"), said["coverage"], sure["coverage"], more_is="better", said=_per_cent
        )
    if said["tools"]:
        yield _measure(_("Tools a task"), said["tools"], sure["tools"], more_is="worse", said=_two)
    if said["tokens"] and any(said["tokens"]):
        yield _measure(
            _("Tokens a task"), said["tokens"], sure["tokens"], more_is="worse", said=_whole
        )
    if said["fallback"]:
        yield _measure(
            _("Fallbacks"), said["fallback"], sure["fallback"], more_is="", said=_per_cent
        )


def _measure(
    label: str, pair: Sequence[float], sure: Sequence[float] | None, *, more_is: str, said: Any
) -> Measure:
    state = ""
    if sure and more_is and said(min(sure, key=abs)) != said(0.0) and sure[0] * sure[1] > 0:
        less_is = "worse" if more_is == "better" else "better"
        state = more_is if sure[0] > 0 else less_is
    words = _("%(low)s to %(high)s") % {"low": said(sure[0]), "high": said(sure[1])} if sure else ""
    return Measure(label, said(pair[0]), said(pair[1]), words, state)


# Adding 0 makes no minus of a nought.
def _per_cent(share: float) -> str:
    return f"{number_format(round(100 * share, 1) + 0, 1)} %"


def _two(number: float) -> str:
    return number_format(round(number, 2) + 0, 2)


def _whole(number: float) -> str:
    return number_format(round(number) + 0, 0)


def _way(
    way: Mapping[str, Any],
    rows: Sequence[Row],
    lines: Mapping[int, TaskLine],
    changes: Sequence[PartChanges],
    members: Mapping[str, frozenset[str]],
) -> Way:
    (kind, before), (other, after) = way["before"], way["after"]
    named = {*before, *after}
    groups = named & members.keys()
    tools = named.union(*(members[name] for name in groups))
    tools.update(name for place in way["places"] for name in rows[place].needs)
    found = [
        part
        for part in changes
        if (part.place[0] == "groups" and part.place[1] in named)
        or (part.place[0] == "tools" and part.place[1] in tools)
    ]
    return Way(
        before=way_words(kind, before),
        after=way_words(other, after),
        count=len(way["places"]),
        tasks=[lines[place] for place in way["places"][:TASKS_OF_A_WAY]],
        changes=found[:TASKS_OF_A_WAY],
    )


def _lines(catalog: Catalog, rows: Sequence[Row], places: Sequence[int]) -> dict[int, TaskLine]:
    """Return the tasks at some places, their words read at once."""
    wanted = {place: rows[place] for place in places}
    cases = EvalCase.objects.select_related("dataset").in_bulk(
        [row.ref for row in wanted.values() if row.kind == CASE]
    )
    texts = {
        text.span_id: text
        for text in Text.objects.filter(
            span__in=[row.ref for row in wanted.values() if row.kind == TASK],
            run__catalog=catalog,
        )
    }
    found = {}
    for place, row in wanted.items():
        case, text = cases.get(row.ref), texts.get(row.ref)
        if row.kind == CASE and case is not None:
            names = {"catalog": catalog.name, "dataset": case.dataset.name, "case": case.number}
            found[place] = TaskLine(row, case.task, reverse("dashboard:case", kwargs=names))
        elif row.kind == TASK and text is not None:
            found[place] = TaskLine(
                row,
                text.task,
                reverse("dashboard:run", kwargs={"catalog": catalog.name, "run": text.run_id}),
            )
        else:
            found[place] = TaskLine(row, "", "")
    return found
