"""Cases, selections for them and measures, laid out for reading."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from dashboard.words import FALLBACKS, WHY, WHY_NOT
from routing.datasets import benching
from routing.datasets.asking import subject_name
from routing.datasets.naming import names_of_document, names_of_draft, on_version
from routing.datasets.results import Result, expectation_of
from routing.datasets.rows import mark_of, value_of
from routing.evaluation.cases import Case
from routing.evaluation.queries import query_of
from routing.models import EvalCase, EvalRun
from routing.moves import NothingLive
from routing.preview import compiled_label
from routing.selection import Circumstances, Fallback, Index, Query, Selection, Why
from routing.selection.pipeline import decide
from routing.selection.whynot import account_of

MEASURES: Mapping[str, tuple[Promise, Promise]] = {
    "coverage": (_("Coverage"), _("cases whose every tool was served")),
    "mean_tools": (_("Tools served"), _("on average")),
    "group_coverage": (_("Groups covered"), _("cases whose every group was opened")),
    "mean_groups": (_("Groups opened"), _("on average")),
    "expansion_rate": (_("Would ask for a group"), _("cases that one more group would complete")),
    "fallback_rate": (_("Fallbacks"), _("cases that got the default tools")),
    "recall@1": (_("Recall at 1"), _("needed tools that are ranked first")),
    "recall@5": (_("Recall at 5"), _("needed tools among the first five")),
    "recall@7": (_("Recall at 7"), _("needed tools among the first seven")),
    "coverage@7": (_("Coverage at 7"), _("cases whose every tool is among the first seven")),
    "ndcg@10": (_("NDCG at 10"), _("how high the needed tools are ranked")),
    "group_accuracy@1": (_("First group right"), _("cases whose best group is a needed one")),
    "ece": (_("Calibration error"), _("of the confidence; it counts from 2,000 cases on")),
    "brier_skill": (_("Brier skill"), _("of the confidence, above 0 is better than none")),
    "auroc": (_("AUROC"), _("how well the confidence tells right from wrong")),
    "none_auroc": (_("AUROC of “no tool fits”"), _("where cases expect nothing")),
    "none_fallback_rate": (_("Fallbacks where no tool fits"), _("which is right there")),
    "ms_per_selection": (_("Milliseconds a selection"), _("the median, without the encoder")),
}
COUNTS = frozenset({"mean_tools", "mean_groups", "ms_per_selection"})
SLICES: Mapping[str, Promise] = {
    "group": _("By group"),
    "tag": _("By tag"),
    "language": _("By language"),
}


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool: ``state`` is ``right``, ``extra``, ``wrong``, ``always`` (on) or ``missing``."""

    name: str
    reason: Promise
    score: float | None
    state: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A selection beside what its case expects.

    ``covers`` tells whether all that is expected is served; ``missing`` are the tools that are not,
    with why.
    """

    selection: Selection
    ref: str
    served: Sequence[ToolLine]
    missing: Sequence[ToolLine]
    fallback: Promise | None
    expects_nothing: bool

    @property
    def covers(self) -> bool:
        """Tell whether the selection is what the case asks for."""
        wrong = any(line.state == "wrong" for line in self.served)
        if self.expects_nothing:
            return bool(self.selection.fallback) and not wrong
        return not self.missing and not wrong

    @property
    def names(self) -> list[str]:
        """Return the tools served that were chosen."""
        return [line.name for line in self.served if line.state != "always"]


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A measure with its interval, in words."""

    label: Promise
    about: Promise
    value: str
    interval: str


def live_beside(catalog: Catalog, case: Case) -> Beside | None:
    """Return what agents get for a case now; ``None`` where nothing is live or a name is gone.

    No router model is asked, and no circuit counts.
    """
    try:
        release = compiled_label(catalog)
    except NothingLive:
        return None
    names = names_of_document(release.document, later=names_of_draft(catalog))
    tried = on_version(case, names)
    if tried is None:
        return None
    return beside(tried, query_of(tried, release.index), release.index, ref=release.ref)


def beside(case: Case, query: Query, index: Index, *, ref: str) -> Beside:
    """Return the selection for a case, each tool with its reason."""
    decision = decide(query, index, Circumstances())
    selection = decision.selection
    needed = {name for need in case.needs for name in need}
    always = {index.tools[place] for place in index.always_on}
    served = {kept.tool for kept in selection.included}
    lines = []
    for kept in selection.included:
        state = "extra"
        if kept.tool in always:
            state = "always"
        elif kept.tool in needed:
            state = "right"
        elif kept.tool in case.not_expected:
            state = "wrong"
        lines.append(ToolLine(kept.tool, WHY[kept.reason], kept.score, state))
    missing = []
    for need in case.needs:
        if not served.intersection(need) - always:
            account = account_of(need[0], decision, index)
            reason = account.reason
            said = WHY[reason] if isinstance(reason, Why) else WHY_NOT[reason]
            missing.append(ToolLine(need[0], said, account.score, "missing"))
    fallback = selection.fallback
    return Beside(
        selection=selection,
        ref=ref,
        served=lines,
        missing=missing,
        fallback=FALLBACKS[Fallback(fallback)] if fallback else None,
        expects_nothing=case.expects_nothing,
    )


def side_of(one: EvalRun, row: EvalCase) -> dict[str, Any]:
    """Return what an evaluation's version chooses for a case, as it is now, for a page.

    ``{"run", "subject", "beside"}``, the last only where the version has all that the case names.
    """
    subject = subject_name(one)
    side: dict[str, Any] = {"run": one, "subject": subject}
    tried = benching.tried(one, row)
    if tried is not None:
        case, bench = tried
        side["beside"] = beside(case, bench.query(case), bench.index, ref=subject)
    return side


def is_mended(result: Result | None, row: EvalCase | None) -> bool:
    """Tell whether a case asks or expects something else than when it was evaluated."""
    if result is None or row is None:
        return False
    return not result.is_of(asked=mark_of(row), expectation=expectation_of(value_of(row)))


def measure_rows(report: Mapping[str, Any]) -> Iterator[MeasureRow]:
    """Yield the measures that a report has, in the order of the page."""
    for name, (label, about) in MEASURES.items():
        value = report["measures"].get(name)
        if value is not None:
            yield MeasureRow(
                label, about, number(name, value), span(name, report["intervals"].get(name))
            )


def slice_rows(report: Mapping[str, Any]) -> Iterator[tuple[Promise, list[dict[str, Any]]]]:
    """Yield each way to slice that has slices, with a row a slice."""
    for kind, label in SLICES.items():
        rows = [
            {
                "name": one["name"],
                "cases": one["cases"],
                "coverage": number("coverage", one["measures"]["coverage"]),
                "sure": span("coverage", one["intervals"].get("coverage")),
                "tools": number("mean_tools", one["measures"]["mean_tools"]),
                "fallbacks": number("fallback_rate", one["measures"]["fallback_rate"]),
                "share": one["measures"]["coverage"],
            }
            for one in report["by"][kind]
        ]
        if rows:
            yield label, rows


def number(name: str, value: float | None) -> str:
    """Return a measure as it is read: a share with three places, a count with one."""
    if value is None:
        return "-"
    places = 1 if name in COUNTS else 3
    return number_format(round(value, places), places)


def span(name: str, ends: Sequence[float] | None) -> str:
    """Return a 95 % interval as it is read; nothing where there is none."""
    return f"{number(name, ends[0])} … {number(name, ends[1])}" if ends else ""


def failed_first(results: Sequence[Result]) -> list[Result]:
    """Return results, those that failed first: the silent ones before those that fell back."""
    return sorted(
        results, key=lambda one: (not one.failed, bool(one.fallback), -one.outcome.confidence)
    )
