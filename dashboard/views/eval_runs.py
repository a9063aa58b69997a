"""Evaluations: begin one, follow it, read what came of it, case by case."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, FrozenDraft, freeze_and_check
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.eval_rows import failed_first, is_mended, measure_rows, side_of, slice_rows
from dashboard.forms.evals import EvalForm
from dashboard.forms.playground import DRAFT, LIVE
from dashboard.views.eval_compare import previous_of, run_or_404
from routing import jobs
from routing.datasets import asking, benching, evaluating
from routing.datasets.asking import NoCases, TooManyOpen
from routing.learned.origins import taught_by
from routing.models import EvalCase, EvalRun, Release
from routing.moves import current_move
from routing.working import is_working

ROWS = 50
VERSIONS = 100


@require_http_methods(["GET", "HEAD", "POST"])
def new_eval(request: PageRequest, catalog: str) -> HttpResponse:
    """Have a dataset held against a version or the draft."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    move = current_move(of)
    shape: dict[str, Any] = {
        "catalog": of,
        "numbers": list(of.versions.values_list("number", flat=True)[:VERSIONS]),
        "live": move.release.version.number if move else None,
    }
    if request.method != "POST":
        form = EvalForm(initial=request.GET.dict(), **shape)
        return render(request, "dashboard/new_eval.html", {"catalog": of, "form": form})
    form = EvalForm(request.POST, **shape)
    one = _begun(request, of, form) if form.is_valid() else None
    if one is not None:
        return redirect("dashboard:eval_run", catalog=of.name, eval=one.number)
    return render(request, "dashboard/new_eval.html", {"catalog": of, "form": form}, status=422)


def _begun(request: PageRequest, catalog: Catalog, form: EvalForm) -> EvalRun | None:
    subject = _subject(catalog, form.cleaned_data["ref"])
    if subject is None:
        form.add_error("ref", _("This version cannot be tried: it has no release."))
        return None
    try:
        return asking.ask(
            dataset=form.cleaned_data["dataset"],
            subject=subject,
            setting=form.setting(),
            by=request.user,
            now=timezone.now(),
            start=jobs.EVALUATIONS.start,
        )
    except DraftHasProblems:
        form.add_error("ref", _("The draft cannot be tried before its problems are mended."))
    except NoCases:
        form.add_error("dataset", _("No case of it is accepted yet, or none of this part."))
    except TooManyOpen:
        form.add_error(None, _("Enough evaluations wait already: cancel one, or wait for it."))
    return None


def _subject(catalog: Catalog, ref: str) -> Release | FrozenDraft | None:
    if ref == DRAFT:
        return freeze_and_check(catalog)
    if ref == LIVE:
        move = current_move(catalog)
        return move.release if move else None
    releases = Release.objects.filter(catalog=catalog, version__number=int(ref))
    return releases.select_related("version__catalog").order_by("-number").first()


@require_safe
def eval_run(request: PageRequest, catalog: str, eval: int) -> HttpResponse:  # noqa: A002
    """Show how far an evaluation is, and then what it says: the cases that failed first."""
    of = catalog_or_404(request, catalog)
    one = run_or_404(of, eval)
    context: dict[str, Any] = {
        "catalog": of,
        "run": one,
        "subject": asking.subject_name(one),
        "working": is_working(now=timezone.now()),
    }
    if request.htmx and request.htmx.target == "progress":
        if one.finished_at is not None:
            return HttpResponseClientRefresh()
        return render(request, "dashboard/eval_run.html#progress", context)
    if one.report:
        context |= _said(request, one)
        context |= {"previous": previous_of(one), "taught_by": taught_by(one)}
    return render(request, "dashboard/eval_run.html", context)


def _said(request: PageRequest, one: EvalRun) -> dict[str, Any]:
    results = failed_first(evaluating.results_of(one))
    page = Paginator(results, ROWS).get_page(request.GET.get("page"))
    numbers = [result.number for result in page]
    cases = {row.number: row for row in one.dataset.cases.filter(number__in=numbers)}
    tools = [tool["name"] for tool in benching.document_of(one)["tools"]]
    rows = [
        {
            "result": result,
            "case": cases.get(result.number),
            "mended": is_mended(result, cases.get(result.number)),
            "tools": [tools[place] for place in result.tools],
        }
        for result in page
    ]
    return {
        "page": page,
        "rows": rows,
        "measures": list(measure_rows(one.report)),
        "slices": list(slice_rows(one.report)),
        "share_failed": one.report["failed"] / one.report["cases"],
    }


@require_safe
def eval_case(
    request: PageRequest,
    catalog: str,
    eval: int,  # noqa: A002
    case: int,
) -> HttpResponse:
    """Show what an evaluation's version chooses for a case, each tool with its reason."""
    of = catalog_or_404(request, catalog)
    one = run_or_404(of, eval)
    row = get_object_or_404(EvalCase, dataset=one.dataset_id, number=case)
    context = {
        "catalog": of,
        "case": row,
        "mended": is_mended(evaluating.result_for(one, row.number), row),
        **side_of(one, row),
    }
    return render(request, "dashboard/eval_case.html", context)


@require_POST
def cancel_eval(request: PageRequest, catalog: str, eval: int) -> HttpResponse:  # noqa: A002
    """Cancel an evaluation; what is done of it stays."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = run_or_404(of, eval)
    asking.cancel(one, now=timezone.now())
    messages.success(request, _("It is cancelled. What is done of it stays."))
    return redirect("dashboard:eval_run", catalog=of.name, eval=one.number)


@require_POST
def resume_eval(request: PageRequest, catalog: str, eval: int) -> HttpResponse:  # noqa: A002
    """Go on with an evaluation that was cancelled or that failed."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = run_or_404(of, eval)
    if asking.resume(one, now=timezone.now(), start=jobs.EVALUATIONS.start):
        messages.success(request, _("It goes on where it was."))
    return redirect("dashboard:eval_run", catalog=of.name, eval=one.number)


@require_POST
def delete_eval(request: PageRequest, catalog: str, eval: int) -> HttpResponse:  # noqa: A002
    """Delete an evaluation with what came of it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = run_or_404(of, eval)
    asking.delete_run(one, now=timezone.now())
    messages.success(request, _("Evaluation %(n)s is deleted.") % {"n": eval})
    return redirect("dashboard:evals", catalog=of.name)
