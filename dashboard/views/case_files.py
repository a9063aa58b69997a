"""Files of cases: those that a dataset takes in, and the accepted ones that it hands out."""

import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import NEEDS, Action
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.evals import CaseFileForm
from dashboard.views.datasets import dataset_or_404
from routing.datasets.changing import (
    Taken,
    TooManyCases,
    add_cases,
)
from routing.datasets.naming import faults_of, followed, names_of_draft
from routing.datasets.rows import case_id, record_of, value_of
from routing.datasets.splitting import split
from routing.evaluation.case_tables import parse_file
from routing.evaluation.cases import Case
from routing.evaluation.faults import BadInput, LineFault
from routing.models import EvalCase, EvalDataset

MOST_FAULTS = 100


@require_safe
def export_cases(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Hand out the accepted cases as JSONL, which the command and this page read.

    Each line says by which ``case_id`` a run tries it out.
    """
    of = catalog_or_404(request, catalog)
    one = dataset_or_404(of, dataset)
    lines = [
        json.dumps(record_of(value_of(row)) | {"case_id": case_id(row)}, ensure_ascii=False)
        for row in one.cases.accepted()
    ]
    response = HttpResponse(
        "".join(f"{line}\n" for line in lines), content_type="application/x-ndjson"
    )
    response["Content-Disposition"] = f'attachment; filename="{of.name}-{one.name}.jsonl"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def case_file(request: PageRequest, catalog: str, dataset: str) -> HttpResponse:
    """Take the cases of a file in: all of them, or none where a line has a fault."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EVALS])
    one = dataset_or_404(of, dataset)
    form = CaseFileForm(request.POST or None, request.FILES or None)
    faults: list[LineFault] = []
    if request.method == "POST" and form.is_valid():
        try:
            return _take_in(request, one, form)
        except BadInput as refused:
            faults = list(refused.lines)
        except TooManyCases:
            form.add_error("file", _("A dataset has at most 10,000 cases."))
    context = {
        "catalog": of,
        "dataset": one,
        "form": form,
        "faults": faults[:MOST_FAULTS],
        "faults_left": max(0, len(faults) - MOST_FAULTS),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/case_file.html", context, status=status)


def _take_in(request: PageRequest, one: EvalDataset, form: CaseFileForm) -> HttpResponse:
    upload = form.cleaned_data["file"]
    cases = _read(upload.read(), one)
    state = EvalCase.State.REVIEW if form.cleaned_data["review"] else EvalCase.State.ACCEPTED
    added = add_cases(
        one,
        [Taken(case) for case in cases],
        origin=EvalCase.Origin.FILE,
        state=state,
        by=request.user,
        now=timezone.now(),
    )
    split(one)
    said = ngettext("%(n)s case is new.", "%(n)s cases are new.", added.new) % {"n": added.new}
    if added.known:
        said += " " + ngettext(
            "%(n)s is there already.", "%(n)s are there already.", added.known
        ) % {"n": added.known}
    messages.success(request, said)
    return redirect("dashboard:dataset", catalog=one.catalog.name, dataset=one.name)


def _read(content: bytes, one: EvalDataset) -> list[Case]:
    """Return the cases of a file in the names of the draft; raises ``BadInput``."""
    names = names_of_draft(one.catalog)
    cases = [followed(case, names) for case in parse_file(content, source="file")]
    faults = [
        fault
        for case in cases
        for fault in faults_of(case, names, line=int(case.where.rpartition(":")[2]))
    ]
    if faults:
        raise BadInput([str(fault) for fault in faults], lines=faults)
    return cases
