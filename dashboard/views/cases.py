"""One case: by hand, from the Playground, in the review queue, changed, decided on."""

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action, may
from catalog.models import Catalog
from catalog.views.requests import PageRequest, back, catalog_or_404, role_to_send
from dashboard.case_lists import read_list
from dashboard.eval_rows import live_beside
from dashboard.forms.cases import CaseForm
from dashboard.forms.evals import KeepForm
from dashboard.views.datasets import dataset_or_404
from routing.datasets.changing import (
    AskedAlready,
    Taken,
    TooManyCases,
    add_cases,
    decide,
    decide_all,
    make_dataset,
    mend,
)
from routing.datasets.rows import value_of
from routing.datasets.splitting import split
from routing.evaluation.cases import Case
from routing.models import EvalCase, EvalDataset
from routing.selection import Channel

ACCEPT, DROP, AGAIN = "accept", "drop", "review"
_STATES = {
    ACCEPT: EvalCase.State.ACCEPTED,
    DROP: EvalCase.State.DROPPED,
    AGAIN: EvalCase.State.REVIEW,
}
MOST_TASK = 200_000


def _said(state: EvalCase.State, n: int) -> str:
    """Return what was done to some cases."""
    words = {"n": intcomma(n)}
    if state == EvalCase.State.ACCEPTED:
        return ngettext("%(n)s case is accepted.", "%(n)s cases are accepted.", n) % words
    if state == EvalCase.State.DROPPED:
        return ngettext("%(n)s case is dropped.", "%(n)s cases are dropped.", n) % words
    return ngettext("%(n)s case waits for review.", "%(n)s cases wait for review.", n) % words


@require_http_methods(["GET", "HEAD", "POST"])
def new_case(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Write a case by hand; it counts at once."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    form = CaseForm(request.POST if request.method == "POST" else None, catalog=of)
    sent = request.method == "POST" and form.is_valid()
    if sent and _added(request, one, form, origin=EvalCase.Origin.HAND):
        return redirect("dashboard:dataset", catalog=of.name, dataset=one.name)
    context = {"catalog": of, "dataset": one, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/new_case.html", context, status=status)


@require_POST
def keep_case(request: PageRequest, catalog: str) -> HttpResponse:
    """Keep what was tried in the Playground as a case: first asked what it needs, then kept."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    asked = _tried(request.POST)
    live = live_beside(of, asked) if asked.task.strip() else None
    offered = live.names if live else ()
    keeps = "keep" in request.POST
    form = CaseForm(request.POST if keeps else None, catalog=of, case=asked, offered=offered)
    into = KeepForm(request.POST if keeps else None, catalog=of)
    if keeps and into.is_valid() and form.is_valid():
        one = _named(request, of, into.cleaned_data["dataset"])
        if _added(request, one, form, origin=EvalCase.Origin.PLAYGROUND):
            return redirect("dashboard:dataset", catalog=of.name, dataset=one.name)
    context = {"catalog": of, "form": form, "into": into, "live": live}
    return render(request, "dashboard/keep_case.html", context, status=422 if keeps else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def case(request: PageRequest, catalog: str, dataset: str, case: int) -> HttpResponse:
    """Show a case beside what is served for it now; change it."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.EVALS))
    one = dataset_or_404(of, dataset)
    row = _row(one, case)
    return _page(request, one, row, template="dashboard/case.html")


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Go through the cases that wait, one after the other: accept, mend, drop."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.EVALS))
    one = dataset_or_404(of, dataset)
    waiting = one.cases.in_review()
    row = waiting.filter(number__gte=_number(request)).first() or waiting.first()
    if row is None:
        return render(request, "dashboard/review.html", {"catalog": of, "dataset": one})
    row.dataset = one
    return _page(request, one, row, template="dashboard/review.html")


@require_POST
def decide_case(request: PageRequest, catalog: str, dataset: str, case: int) -> HttpResponse:
    """Accept a case, drop it or put it back, as it is."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    row = _row(one, case)
    _decided(request, row)
    return back(request, reverse("dashboard:case", args=[of.name, one.name, row.number]))


@require_POST
def decide_cases(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Accept the ticked cases or all that a list shows, drop them, or put them back."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    said, state = request.POST, _STATES.get(request.POST.get("decision", ""))
    if "all" in said:
        cases = read_list(said, state=AGAIN).of(one.cases.all())
    else:
        ticked = [number for number in said.getlist("case") if number.isdecimal()]
        cases = one.cases.filter(number__in=[number[:9] for number in ticked])
    if state is None or not cases.exists():
        messages.info(request, _("Tick the cases first that it is to be done to."))
    else:
        done = decide_all(one, cases, state=state, by=request.user, now=timezone.now())
        messages.success(request, _said(state, done))
    return back(request, reverse("dashboard:dataset", args=[of.name, one.name]))


def _page(request: PageRequest, one: EvalDataset, row: EvalCase, *, template: str) -> HttpResponse:
    """Show a case with its form; a form that was sent is kept, and what it says is decided."""
    of, asked = one.catalog, value_of(row)
    live = live_beside(of, asked)
    sent = request.POST if request.method == "POST" else None
    form = CaseForm(sent, catalog=of, case=asked, offered=live.names if live else ())
    if sent is not None and form.is_valid() and _mended(request, row, form):
        _decided(request, row)
        if template.endswith("review.html"):
            return redirect(f"{_review(one)}?case={row.number + 1}")
        return redirect("dashboard:case", catalog=of.name, dataset=one.name, case=row.number)
    waiting = one.cases.in_review()
    context = {
        "catalog": of,
        "dataset": one,
        "case": row,
        "live": live,
        "form": form,
        "waiting": waiting.count(),
        "next": waiting.filter(number__gt=row.number).values_list("number", flat=True).first(),
        "previous": waiting.filter(number__lt=row.number).values_list("number", flat=True).last(),
        "may_change": may(of, Action.EVALS),
    }
    return render(request, template, context, status=422 if sent is not None else 200)


def _mended(request: PageRequest, row: EvalCase, form: CaseForm) -> bool:
    if form.case is None:
        return False
    try:
        changed = mend(row, form.case, now=timezone.now())
    except AskedAlready as twin:
        form.add_error(
            "task", _("Case %(n)s of the dataset asks this already.") % {"n": twin.number}
        )
        return False
    if changed:
        split(row.dataset)
        messages.success(request, _("Case %(n)s is changed.") % {"n": row.number})
    return True


def _decided(request: PageRequest, row: EvalCase) -> None:
    state = _STATES.get(request.POST.get("decision", ""))
    if state is not None:
        decide(row, state=state, by=request.user, now=timezone.now())


def _added(
    request: PageRequest, one: EvalDataset, form: CaseForm, *, origin: EvalCase.Origin
) -> bool:
    if form.case is None:
        return False
    try:
        added = add_cases(
            one,
            [Taken(form.case)],
            origin=origin,
            state=EvalCase.State.ACCEPTED,
            by=request.user,
            now=timezone.now(),
        )
    except TooManyCases:
        form.add_error(None, _("A dataset has at most 10,000 cases."))
        return False
    if not added.new:
        form.add_error("task", _("The dataset asks this already."))
        return False
    split(one)
    messages.success(request, _("The case is in “%(name)s”.") % {"name": one.name})
    return True


def _named(request: PageRequest, catalog: Catalog, name: str) -> EvalDataset:
    found = EvalDataset.objects.filter(catalog=catalog, name=name).first()
    made = found or make_dataset(catalog=catalog, name=name, by=request.user, now=timezone.now())
    made.catalog = catalog
    return made


def _tried(said: QueryDict) -> Case:
    """Return what the Playground's form asked, without what the task needs."""
    kind, value = said.get("channel_kind", ""), said.get("channel_value", "")[:200]
    history = said.get("history", "").replace("\r\n", "\n").split("\n")
    return Case(
        where="",
        task=said.get("task", "").replace("\r\n", "\n").replace("\0", "")[:MOST_TASK],
        needs=(),
        history=tuple(line for line in history if line.strip()),
        phase=said.get("phase") or None,
        channel=Channel(kind=kind, value=value) if kind and value else None,
        route=said.get("route") or None,
    )


def _row(one: EvalDataset, number: int) -> EvalCase:
    row = get_object_or_404(
        EvalCase.objects.select_related("run", "decided_by"), dataset=one, number=number
    )
    row.dataset = one
    return row


def _number(request: PageRequest) -> int:
    said = request.GET.get("case", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else 0


def _review(one: EvalDataset) -> str:
    return reverse("dashboard:review", args=[one.catalog.name, one.name])
