"""Two evaluations of a dataset beside each other: which to choose, all their cases, one case."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.eval_comparison import (
    Look,
    PairRow,
    csv_lines,
    look_at,
)
from dashboard.eval_differences import FIRST_MEASURES, measure_lines
from dashboard.eval_rows import is_mended, side_of
from dashboard.streaming import file_of
from dashboard.views.datasets import runs_of
from routing.datasets import asking, evaluating
from routing.datasets.comparing import Apart, Comparison, NotComparable, Pair, compare
from routing.models import EvalCase, EvalRun

ROWS = 50
CHOICES = 100


@require_safe
def choose_evals(request: PageRequest, catalog: str) -> HttpResponse:
    """Choose two evaluations, or go on to the comparison of those that are named.

    ``choose`` is the one that another is looked for.
    """
    of = catalog_or_404(request, catalog)
    before, after = _two(of, request.GET)
    if before is not None and after is not None:
        return redirect("dashboard:compare_evals", catalog=of.name, before=before, after=after)
    if len(request.GET.getlist("run")) > 2:
        messages.info(request, _("Tick two evaluations, no more."))
    runs = choices_of(of)
    newest = max((one.number for one in runs), default=None)
    chosen = _number(request.GET.get("choose")) or newest
    context = {
        "catalog": of,
        "runs": runs,
        "after": chosen,
        "before": previous_of(run_or_404(of, chosen)) if chosen else None,
    }
    return render(request, "dashboard/choose_evals.html", context)


def _two(catalog: Catalog, asked: QueryDict) -> tuple[int | None, int | None]:
    """Return which are named; of two that are ticked the older comes first.

    One alone is compared with the one before it.
    """
    found = [number for said in asked.getlist("run") if (number := _number(said)) is not None]
    if len(found) == 2:
        return min(found), max(found)
    before, after = _number(asked.get("before")), _number(asked.get("after"))
    after = found[0] if len(found) == 1 else after
    if after is not None and before is None:
        before = previous_of(run_or_404(catalog, after))
    return before, after


@require_safe
def compare_evals(request: PageRequest, catalog: str, before: int, after: int) -> HttpResponse:
    """Compare two evaluations: the cases that regressed first."""
    of = catalog_or_404(request, catalog)
    runs = [run_or_404(of, number) for number in (before, after)]
    context: dict[str, Any] = {
        "catalog": of,
        "before": runs[0],
        "after": runs[1],
        "runs": choices_of(of),
        "sides": [(run, asking.subject_name(run)) for run in runs],
    }
    try:
        context |= _compared(request, compare(*runs), runs[0])
    except NotComparable:
        context["not_comparable"] = True
    return render(request, "dashboard/compare_evals.html", context)


def _compared(request: PageRequest, comparison: Comparison, before: EvalRun) -> dict[str, Any]:
    look = look_at(comparison, before, request.GET)
    listed: Sequence[Pair | Apart] = look.apart if look.shows_apart else look.listed
    page = Paginator(listed, ROWS).get_page(request.GET.get("page"))
    cases = look.cases
    lines = list(measure_lines(comparison.measures(look.numbers)))
    return {
        "look": look,
        "page": page,
        "rows": [PairRow(one, cases.get(one.number)) for one in page if isinstance(one, Pair)],
        "apart": [(one, cases.get(one.number)) for one in page if isinstance(one, Apart)],
        "first": [line for line in lines if line.name in FIRST_MEASURES],
        "further": [line for line in lines if line.name not in FIRST_MEASURES],
        "ways": _ways(look),
    }


def _ways(look: Look) -> dict[str, Any]:
    found = look.ways
    return {"shown": found[:20], "left": max(0, len(found) - 20), "of": look.way}


@require_safe
def export_comparison(
    request: PageRequest, catalog: str, before: int, after: int
) -> StreamingHttpResponse:
    """Send the cases that the filters leave as CSV."""
    of = catalog_or_404(request, catalog)
    runs = [run_or_404(of, number) for number in (before, after)]
    try:
        look = look_at(compare(*runs), runs[0], request.GET)
    except NotComparable:
        raise Http404 from None
    name = f"{of.name}-evaluations-{before}-{after}.csv"
    return file_of(csv_lines(look), name=name, content_type="text/csv; charset=utf-8")


@require_safe
def compare_case(
    request: PageRequest, catalog: str, before: int, after: int, case: int
) -> HttpResponse:
    """Show what both evaluations' versions choose for a case, each tool with its reason."""
    of = catalog_or_404(request, catalog)
    runs = [run_or_404(of, number) for number in (before, after)]
    row = get_object_or_404(EvalCase, dataset=runs[1].dataset_id, number=case)
    if runs[0].dataset_id != runs[1].dataset_id:
        raise Http404
    sides = [side_of(run, row) for run in runs]
    context = {
        "catalog": of,
        "case": row,
        "before": runs[0],
        "after": runs[1],
        "dataset": runs[1].dataset,
        "sides": sides,
        "changes": _changes(sides),
        "mended": any(is_mended(evaluating.result_for(run, case), row) for run in runs),
    }
    return render(request, "dashboard/compare_case.html", context)


def _changes(sides: list[dict[str, Any]]) -> dict[str, list[str]] | None:
    if not all("beside" in side for side in sides):
        return None
    before, after = (side["beside"].names for side in sides)
    return {
        "left": [name for name in before if name not in after],
        "come": [name for name in after if name not in before],
    }


def choices_of(catalog: Catalog) -> list[EvalRun]:
    """Return the newest evaluations that can be compared, those of a dataset together."""
    ended = runs_of(catalog).exclude(report={}).defer("report", "skipped")[:CHOICES]
    return sorted(ended, key=lambda one: (one.dataset.name, -one.number))


def previous_of(one: EvalRun) -> int | None:
    """Return the number of the evaluation of the same dataset that ended before one was asked."""
    earlier = EvalRun.objects.filter(dataset=one.dataset_id, number__lt=one.number)
    found: int | None = (
        earlier.exclude(report={}).order_by("-number").values_list("number", flat=True).first()
    )
    return found


def _number(said: str | None) -> int | None:
    if said and said.isascii() and said.isdecimal() and len(said) < 10:
        return int(said)
    return None


def run_or_404(catalog: Catalog, number: int) -> EvalRun:
    """Return an evaluation of a catalog by its number, without the draft that it may be of."""
    one: EvalRun = get_object_or_404(runs_of(catalog), number=number)
    one.catalog = catalog
    return one
