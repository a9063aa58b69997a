"""The comparison of two evaluations, laid out for reading: its cases and its measures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.routing_charts import FALLBACKS
from dashboard.spreadsheets import csv_rows
from routing.datasets.comparing import Apart, Comparison, Pair, Served, Turn
from routing.evaluation.diverting import Destination, Diversion
from routing.models import EvalCase, EvalRun

DIFFERS, DIVERTED, APART, ALL = "differs", "diverted", "apart", "all"
SHOWN: Mapping[str, Promise] = {
    DIFFERS: gettext_lazy("All that differ"),
    Turn.REGRESSED: gettext_lazy("Regressed"),
    Turn.GAINED: gettext_lazy("Gained"),
    Turn.CHANGED: gettext_lazy("Otherwise changed"),
    DIVERTED: gettext_lazy("Diverted"),
    Turn.SAME: gettext_lazy("The same"),
    APART: gettext_lazy("Not compared"),
}
COLUMNS = (
    "case",
    "turn",
    "task",
    "expected_tools",
    "before_groups",
    "after_groups",
    "before_tools",
    "after_tools",
    "before_fallback",
    "after_fallback",
    "before_confidence",
    "after_confidence",
)
SHOWN_OF_CASES = (
    "number",
    "task",
    "expected_tools",
    "expected_groups",
    "tags",
    "vague",
    "language",
)


@dataclass(frozen=True, slots=True)
class Way:
    """A diversion in words; ``key`` stands for it in a URL."""

    key: str
    before: str
    after: str
    count: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair beside its case, if that is still there: what only one of the two served, and both."""

    pair: Pair
    case: EvalCase | None

    @property
    def left(self) -> list[str]:
        """The tools that were served before only."""
        return self._alone(self.pair.before, self.pair.after)

    @property
    def come(self) -> list[str]:
        """The tools that are served after only."""
        return self._alone(self.pair.after, self.pair.before)

    @property
    def shared(self) -> int:
        """How many tools both served."""
        return len(self.pair.before.known_as & self.pair.after.known_as)

    def _alone(self, side: Served, other: Served) -> list[str]:
        shared = zip(side.tools, side.following, strict=True)
        return [name for name, known_as in shared if known_as not in other.known_as]


@dataclass(frozen=True, kw_only=True)
class Look:
    """What of a comparison is looked at: the cases of a group, a tag, a language, and of a kind.

    ``cases`` are the cases that either tried, as they are now, by number.
    """

    comparison: Comparison
    cases: Mapping[int, EvalCase]
    show: str = DIFFERS
    group: str = ""
    tag: str = ""
    language: str = ""
    way: str = ""
    names: Mapping[str, Sequence[str]] = field(init=False)

    def __post_init__(self) -> None:
        """Gather what can be chosen from."""
        rows = self.cases.values()
        found = {
            "group": {name for row in rows for name in row.expected_groups},
            "tag": {tag for row in rows for tag in tags_of(row)},
            "language": {row.language for row in rows if row.language},
        }
        object.__setattr__(self, "names", {kind: sorted(names) for kind, names in found.items()})

    @cached_property
    def numbers(self) -> frozenset[int] | None:
        """The cases of the group, tag and language; ``None`` for all."""
        if not (self.group or self.tag or self.language):
            return None
        return frozenset(
            number
            for number, row in self.cases.items()
            if (not self.group or self.group in row.expected_groups)
            and (not self.tag or self.tag in tags_of(row))
            and (not self.language or self.language == row.language)
        )

    @cached_property
    def pairs(self) -> list[Pair]:
        """What both tried of them, regressions first."""
        return [one for one in self.comparison.pairs if self._holds(one.number)]

    @cached_property
    def apart(self) -> list[Apart]:
        """What is not compared of them."""
        return [one for one in self.comparison.apart if self._holds(one.number)]

    @cached_property
    def diversions(self) -> list[Diversion[int]]:
        """Which of them go elsewhere."""
        return self.comparison.diversions(self.numbers)

    @property
    def counts(self) -> list[tuple[str, Promise, int]]:
        """Return each kind of case with its words and how many there are."""
        turns = [one.turn for one in self.pairs]
        found: dict[str, int] = {turn.value: turns.count(turn) for turn in Turn}
        found[DIFFERS] = len(turns) - found[Turn.SAME]
        found[DIVERTED] = sum(one.goes_otherwise for one in self.pairs)
        found[APART] = len(self.apart)
        return [(kind, words, found[kind]) for kind, words in SHOWN.items()]

    @property
    def shows_apart(self) -> bool:
        """Whether what is not compared is asked for."""
        return self.show == APART and not self.way

    @property
    def listed(self) -> list[Pair]:
        """Return the pairs that are asked for; none where those apart are."""
        if self.shows_apart:
            return []
        if self.way:
            keys = {n for way in self.diversions if key_of(way) == self.way for n in way.keys}
            return [one for one in self.pairs if one.number in keys]
        if self.show == DIVERTED:
            return [one for one in self.pairs if one.goes_otherwise]
        if self.show == DIFFERS:
            return [one for one in self.pairs if one.turn is not Turn.SAME]
        return [one for one in self.pairs if self.show in (ALL, one.turn)]

    @property
    def ways(self) -> list[Way]:
        """Return the diversions in words, those of most cases first."""
        return [
            Way(key_of(one), told(one.before), told(one.after), len(one.keys))
            for one in self.diversions
        ]

    def _holds(self, number: int) -> bool:
        return self.numbers is None or number in self.numbers


def look_at(comparison: Comparison, before: EvalRun, asked: QueryDict) -> Look:
    """Return what a URL asks for; what it says wrongly counts for nothing."""
    numbers = {one.number for one in comparison.pairs}
    numbers |= {one.number for one in comparison.apart}
    rows = before.dataset.cases.only(*SHOWN_OF_CASES)
    show = asked.get("show", DIFFERS)
    return Look(
        comparison=comparison,
        cases={row.number: row for row in rows if row.number in numbers},
        show=show if show in SHOWN or show == ALL else DIFFERS,
        group=asked.get("group", ""),
        tag=asked.get("tag", ""),
        language=asked.get("language", ""),
        way=asked.get("way", ""),
    )


def tags_of(row: EvalCase) -> list[str]:
    """Return the tags of a case, as evaluations are sliced by them."""
    return [*row.tags, *(["vague"] if row.vague else [])]


def key_of(way: Diversion[int]) -> str:
    """Return what stands for a diversion in a URL."""
    return "~".join(f"{one.kind}:{','.join(one.names)}" for one in (way.before, way.after))


def told(goes: Destination) -> str:
    """Return where a task is sent, in words."""
    if goes.kind == "fallback":
        return str(FALLBACKS.get(goes.names[0], goes.names[0]))
    return " + ".join(goes.names) if goes.names else _("nothing")


def csv_lines(look: Look) -> Iterator[str]:
    """Yield a header and a line for each case that is listed."""
    yield from csv_rows([COLUMNS])
    yield from csv_rows(_csv_row(one, look.cases.get(one.number)) for one in look.listed)


def _csv_row(one: Pair, case: EvalCase | None) -> list[object]:
    sides = (one.before, one.after)
    results = [side.result for side in sides]
    return [
        one.number,
        one.turn.value,
        case.task if case else "",
        " ".join(case.expected_tools) if case else "",
        *(" ".join(result.groups) for result in results),
        *(" ".join(side.tools) for side in sides),
        *(result.fallback for result in results),
        *(None if result.outcome.assumed else result.outcome.confidence for result in results),
    ]
