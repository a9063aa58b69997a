"""Paths: what agents did over a dataset's cases, one case, both arms, and simulated tools."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import Action
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send
from dashboard.forms.paths import SimulationForm, written
from dashboard.path_rows import (
    CaseRow,
    PairRow,
    arm_rows,
    at_the_end,
    case_rows,
    compared_rows,
    pair_rows,
    path_steps,
    result_rows,
    run_row,
    share_rows,
    stop_rows,
)
from dashboard.path_words import ARMS
from dashboard.views.datasets import dataset_or_404
from routing.case_runs.reading import MOST_RUNS, checked_runs, expected_of, runs_of
from routing.datasets.changing import set_simulation
from routing.datasets.naming import names_of_draft
from routing.datasets.rows import value_of
from routing.models import EvalCase, EvalDataset
from routing.paths.injections import TEXTS
from routing.paths.measures import CheckedRun, measure
from routing.paths.pairing import compare
from routing.paths.script import read_script

ROWS = 50
SHOWN_RUNS = 50


@require_safe
def paths(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Show how the runs that name a dataset's cases did: by version and arm, and case by case."""
    of = catalog_or_404(request, catalog)
    one = dataset_or_404(of, dataset)
    runs = checked_runs(one, runs_of(one))
    shown, chosen = _chosen(request, runs)
    measures = measure(shown)
    page = Paginator(case_rows(shown), ROWS).get_page(request.GET.get("page"))
    context = {
        "catalog": of,
        "dataset": one,
        "runs": len(runs),
        "most": MOST_RUNS if len(runs) == MOST_RUNS else None,
        "arms": arm_rows(runs),
        "measures": measures,
        "shares": share_rows(measures),
        "stops": list(stop_rows(measures)),
        "results": list(result_rows(measures)),
        "page": page,
        "rows": _with_cases(one, list(page)),
        **chosen,
    }
    return render(request, "dashboard/paths.html", context)


def _chosen(
    request: PageRequest, runs: Sequence[CheckedRun]
) -> tuple[list[CheckedRun], dict[str, Any]]:
    """Return the runs of the version and arm that the address asks for, and what can be chosen."""
    refs = list(dict.fromkeys(run.trail.ref for run in runs))
    there = {run.trail.arm for run in runs}
    ref, arm = request.GET.get("version", ""), request.GET.get("arm", "")
    shown = [
        run
        for run in runs
        if (ref not in refs or run.trail.ref == ref) and (arm not in there or run.trail.arm == arm)
    ]
    arms = [(name, label) for name, label in ARMS.items() if name in there]
    return shown, {"versions": refs, "arm_choices": arms, "version": ref, "arm": arm}


def _with_cases(one: EvalDataset, rows: Sequence[Any]) -> list[Any]:
    """Return rows of cases or pairs with the cases that they are of."""
    numbers = [row.number if isinstance(row, CaseRow) else row.pair.number for row in rows]
    cases = {case.number: case for case in one.cases.filter(number__in=numbers)}
    return [replace(row, case=cases.get(number)) for row, number in zip(rows, numbers, strict=True)]


@require_safe
def case_path(request: PageRequest, catalog: str, dataset: str, case: int) -> HttpResponse:
    """Show the path that a case expects beside the one that a run took."""
    of = catalog_or_404(request, catalog)
    one = dataset_or_404(of, dataset)
    row = get_object_or_404(EvalCase, dataset=one, number=case)
    runs = checked_runs(one, runs_of(one, number=case, most=SHOWN_RUNS))
    asked = value_of(row)
    context: dict[str, Any] = {
        "catalog": of,
        "dataset": one,
        "case": row,
        "expected": expected_of(asked),
        "is_own": not asked.path.says_nothing,
        "rows": [run_row(run) for run in runs],
        "simulation": written(asked.simulation),
    }
    shown = _asked_for(request, runs)
    if shown is not None:
        context |= {"shown": run_row(shown), "steps": path_steps(shown), "end": at_the_end(shown)}
    return render(request, "dashboard/case_path.html", context)


def _asked_for(request: PageRequest, runs: Sequence[CheckedRun]) -> CheckedRun | None:
    """Return the run that the address names, or the newest."""
    said = request.GET.get("run", "")
    if not said:
        return runs[0] if runs else None
    for run in runs:
        if str(run.trail.run) == said:
            return run
    raise Http404(said)


@require_safe
def before_after(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Compare the newest runs with all tools and with those that were chosen, case by case."""
    of = catalog_or_404(request, catalog)
    one = dataset_or_404(of, dataset)
    runs = checked_runs(one, runs_of(one))
    refs = list(dict.fromkeys(run.trail.ref for run in runs))
    ref = request.GET.get("version", "")
    said = compare([run for run in runs if ref not in refs or run.trail.ref == ref], seed=one.seed)
    rows: list[PairRow] = pair_rows(said.pairs)
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    context = {
        "catalog": of,
        "dataset": one,
        "runs": len(runs),
        "versions": refs,
        "version": ref,
        "pairs": len(said.pairs),
        "unpaired": said.unpaired,
        "compared": compared_rows(said),
        "page": page,
        "rows": _with_cases(one, list(page)),
    }
    return render(request, "dashboard/before_after.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def simulation(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Show and change what the simulated tools of a dataset answer where a case does not say."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.EVALS))
    one = dataset_or_404(of, dataset)
    said = request.POST if request.method == "POST" else None
    initial = {"simulation": written(read_script(one.simulation))}
    form = SimulationForm(said, initial=initial, names=names_of_draft(of))
    if said is not None and form.is_valid():
        if set_simulation(one, form.cleaned_data["simulation"], now=timezone.now()):
            messages.success(request, _("What the simulated tools answer is changed."))
        return redirect("dashboard:simulation", catalog=of.name, dataset=one.name)
    context = {
        "catalog": of,
        "dataset": one,
        "form": form,
        "texts": TEXTS.items(),
    }
    return render(
        request, "dashboard/simulation.html", context, status=200 if said is None else 422
    )
