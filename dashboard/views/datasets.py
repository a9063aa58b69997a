"""Evals: the datasets of a catalog, one dataset, and the ways cases come into it in numbers."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.recording import note_deed
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.case_lists import meanings_of, read_list, tags_of
from dashboard.forms.evals import CollectForm, DatasetForm, SplitForm
from routing import jobs
from routing.datasets import collecting
from routing.datasets.changing import (
    GateAsksForIt,
    make_dataset,
)
from routing.datasets.changing import delete_dataset as delete_with_cases
from routing.datasets.splitting import split_anew
from routing.models import EvalCase, EvalCollection, EvalDataset, EvalRun, GatePolicy
from routing.working import is_working

ROWS = 50
RUNS = 20
_STATES = [state.value for state in EvalCase.State]


def dataset_or_404(catalog: Catalog, name: str) -> EvalDataset:
    """Return a dataset of a catalog, with the catalog as it was read for the person."""
    found = get_object_or_404(EvalDataset, catalog=catalog, name=name)
    found.catalog = catalog
    return found


def runs_of(catalog: Catalog) -> QuerySet[EvalRun]:
    """Return the evaluations of a catalog, newest first, without the drafts that they are of."""
    runs = EvalRun.objects.filter(catalog=catalog).select_related(
        "dataset", "release__version__catalog", "asked_by"
    )
    return runs.defer("document", "numbers", "release__version__document")


@require_safe
def evals(request: PageRequest, catalog: str) -> HttpResponse:
    """List the datasets of a catalog and its newest evaluations."""
    of = catalog_or_404(request, catalog)
    datasets = EvalDataset.objects.filter(catalog=of).annotate(
        accepted=Count("cases", filter=Q(cases__state=EvalCase.State.ACCEPTED)),
        waiting=Count("cases", filter=Q(cases__state=EvalCase.State.REVIEW)),
    )
    context = {"catalog": of, "datasets": datasets, "runs": runs_of(of)[:RUNS]}
    return render(request, "dashboard/evals.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new_dataset(request: PageRequest, catalog: str) -> HttpResponse:
    """Make a dataset."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    form = DatasetForm(request.POST or None, instance=EvalDataset(catalog=of))
    if request.method == "POST" and form.is_valid():
        made = _made(request, of, form)
        if made is not None:
            return redirect("dashboard:dataset", catalog=of.name, dataset=made.name)
    context = {"catalog": of, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/new_dataset.html", context, status=status)


def _made(request: PageRequest, catalog: Catalog, form: DatasetForm) -> EvalDataset | None:
    said = form.cleaned_data
    try:
        with transaction.atomic():
            return make_dataset(
                catalog=catalog,
                name=said["name"],
                description=said["description"],
                by=request.user,
                now=timezone.now(),
            )
    except IntegrityError:  # somebody was a moment faster
        form.add_error("name", _("There is a dataset of this name already."))
        return None


@require_safe
def dataset(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Show a dataset: its cases by state, part and tag, and what was collected last."""
    of = catalog_or_404(request, catalog)
    one = dataset_or_404(of, dataset)
    cases = one.cases.all()
    counts = dict.fromkeys(_STATES, 0)
    counts |= dict(cases.order_by().values_list("state").annotate(n=Count("pk")))
    shown = next((each for each in ("accepted", "review") if counts[each]), "review")
    listed = read_list(request.GET, state=shown)
    newest = collecting.newest(one)
    counted = cases.exclude(state=EvalCase.State.DROPPED).order_by().values_list("part")
    parts = {part or "none": n for part, n in counted.annotate(n=Count("pk"))}
    tags = tags_of(cases.filter(state=listed.state))
    context = {
        "catalog": of,
        "dataset": one,
        "counts": counts,
        "listed": listed,
        "tags": tags,
        "meanings": meanings_of(tags),
        "page": Paginator(listed.of(cases), ROWS).get_page(request.GET.get("page")),
        "newest": one.next_number - 1,
        "parts": parts,
        "split": SplitForm(initial={"test_percent": round(100 * one.test_share), "seed": one.seed}),
        "collection": newest,
        "passed": passed_over(newest),
        "working": is_working(now=timezone.now()),
        "runs": runs_of(of).filter(dataset=one)[:5],
    }
    return render(request, "dashboard/dataset.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_dataset(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Say what goes with a dataset, and delete it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    if request.method == "POST":
        with suppress(GateAsksForIt):
            delete_with_cases(one, now=timezone.now())
            messages.success(request, _("The dataset “%(name)s” is deleted.") % {"name": dataset})
            return redirect("dashboard:evals", catalog=of.name)
    context = {
        "catalog": of,
        "dataset": one,
        "cases": one.cases.count(),
        "runs": EvalRun.objects.filter(dataset=one).count(),
        "gate_asks": GatePolicy.objects.filter(datasets=one).exists(),
    }
    status = 409 if request.method == "POST" else 200
    return render(request, "dashboard/delete_dataset.html", context, status=status)


@require_POST
def split_dataset(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Tell the cases into parts anew."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    form = SplitForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Write a share from 0 to 100 and a seed from 0 on."))
        return redirect("dashboard:dataset", catalog=of.name, dataset=one.name)
    seed, share = form.cleaned_data["seed"], form.cleaned_data["test_percent"] / 100
    with transaction.atomic():
        told = {"seed": seed, "test_share": share}
        note_deed(catalog=of, action="dataset_split", kind="datasets", subject=one.name, after=told)
        done = split_anew(one, seed=seed, test_share=share)
    if done:
        messages.success(request, _("The cases are told into their parts."))
    else:
        messages.info(request, _("There are many cases: the next evaluation tells them apart."))
    return redirect("dashboard:dataset", catalog=of.name, dataset=one.name)


@require_http_methods(["GET", "HEAD", "POST"])
def collect_cases(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Have cases collected from solved runs."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    form = CollectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        now, said = timezone.now(), form.cleaned_data
        collecting.ask(
            dataset=one,
            since=now - timedelta(days=said["days"]),
            until=now,
            most=said["most"],
            simulated=said["simulated"],
            by=request.user,
            now=now,
            start=jobs.COLLECTIONS.start,
        )
        return redirect("dashboard:dataset", catalog=of.name, dataset=one.name)
    context = {"catalog": of, "dataset": one, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/collect_cases.html", context, status=status)


@require_safe
def collection(request: PageRequest, catalog: str, dataset: str, collection: int) -> HttpResponse:
    """Show how far a collection is; the whole page again once it has ended."""
    of = catalog_or_404(request, catalog)
    one = dataset_or_404(of, dataset)
    asked = get_object_or_404(EvalCollection, dataset=one, pk=collection)
    if not request.htmx:
        return redirect("dashboard:dataset", catalog=of.name, dataset=one.name)
    if asked.finished_at is not None:
        return HttpResponseClientRefresh()
    context = {
        "catalog": of,
        "dataset": one,
        "collection": asked,
        "working": is_working(now=timezone.now()),
    }
    return render(request, "dashboard/_collection.html#progress", context)


def passed_over(one: EvalCollection | None) -> dict[str, Any]:
    """Return what a collection counted, nought where it says nothing."""
    names = (
        "runs",
        "selections",
        "new",
        "tasks",
        "explored",
        "known",
        "not_needed",
        "unlabelled",
        "no_text",
        "no_task",
        "gone",
        "sampled_out",
    )
    found = one.found if one is not None else {}
    return {name: found.get(name, 0) for name in names}
