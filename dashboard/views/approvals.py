"""Approvals: what waits for a person, a person's word on it, and what was decided before."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import Action
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send
from dashboard.forms.approvals import DecisionForm
from routing.approvals import Undecidable, decide_approval, request_of, waiting_requests
from routing.models import Approval

# A page shows so many of those that wait, and of those that are over.
WAITING = 50
PAST = 20


@require_safe
def approvals(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what waits, the oldest first, and what was decided."""
    of, now = catalog_or_404(request, catalog), timezone.now()
    requests = waiting_requests(catalog=of, now=now, most=WAITING + 1)
    past = of.approvals.over(now=now).of_traffic()
    past = past.select_related("run", "decided_by", "used_by")
    context = {
        "catalog": of,
        "now": now,
        "requests": requests[:WAITING],
        "more_wait": len(requests) > WAITING,
        "form": DecisionForm(auto_id=False),
        "page": Paginator(past.order_by("-requested_at", "-id"), PAST).get_page(
            request.GET.get("page")
        ),
    }
    return render(request, "dashboard/approvals.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def approval(request: PageRequest, catalog: str, approval: UUID) -> HttpResponse:
    """Show one request; put a person's word on record."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.DECIDE_APPROVALS))
    one = get_object_or_404(Approval.objects.with_grounds(), catalog=of, uid=approval)
    return _decide(request, of, one) if request.method == "POST" else _page(request, of, one)


def _decide(request: PageRequest, catalog: Catalog, one: Approval) -> HttpResponse:
    form, now = DecisionForm(request.POST), timezone.now()
    if not form.is_valid():
        return _page(request, catalog, one, form=form, status=422)
    said = form.cleaned_data
    asked = request_of(one, now=now)
    if form.approves and asked.is_destructive and asked.can_be_approved and not said["confirmed"]:
        return _page(request, catalog, one, form=form, confirming=True)
    try:
        decided = decide_approval(
            approval=one,
            user=request.user,
            approve=form.approves,
            reason=said["reason"],
            now=now,
        )
    except Undecidable as undecided:
        return _page(request, catalog, undecided.approval, overtaken=True, status=409)
    messages.success(request, _outcome(decided))
    return redirect("dashboard:approvals", catalog=catalog.name)


def _outcome(decided: Approval) -> str:
    if decided.state == Approval.State.APPROVED:
        return _("%(tool)s is approved. The agent may make this one call now.") % {
            "tool": decided.tool
        }
    return _("%(tool)s is refused. The agent is told why when it asks again.") % {
        "tool": decided.tool
    }


def _page(
    request: PageRequest,
    catalog: Catalog,
    one: Approval,
    *,
    form: DecisionForm | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    now = timezone.now()
    context = {
        "catalog": catalog,
        "now": now,
        "asked": request_of(one, now=now),
        "form": form or DecisionForm(),
        **more,
    }
    return render(request, "dashboard/approval.html", context, status=status)
