"""Health: what is wrong with the draft and what could be better, each with where it is mended."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from catalog.access import NEEDS, Action
from catalog.mending import NothingToMend, mend_finding
from catalog.publishing import freeze_and_check
from catalog.views.requests import PageRequest, back, catalog_or_404
from dashboard.findings import Filter, count_codes, count_severities, rows_of
from dashboard.templatetags.words import place_words, said
from dashboard.views.look_alikes import search_context
from routing.draft_health import draft_findings

# A page shows so many findings.
ROWS = 50


@require_safe
def health(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the findings of the draft, the gravest first, all or those of a severity or code."""
    of = catalog_or_404(request, catalog)
    frozen = freeze_and_check(of)
    findings = draft_findings(frozen)
    shown = Filter.read(request.GET)
    kept = [finding for finding in findings if shown.keeps(finding)]
    page = Paginator(kept, ROWS).get_page(request.GET.get("page"))
    context = {
        "catalog": of,
        "total": len(findings),
        "counts": count_severities(findings),
        "codes": count_codes(findings, severity=shown.severity),
        "shown": shown,
        "page": page,
        "rows": rows_of(of, list(page.object_list)),
        **search_context(of, frozen),
    }
    return render(request, "dashboard/health.html", context)


@require_POST
def mend(request: PageRequest, catalog: str) -> HttpResponse:
    """Make the mechanical fix of the ``finding`` that is named by its key."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    try:
        finding = mend_finding(catalog=of, key=request.POST.get("finding", ""))
    except NothingToMend:
        messages.error(request, _("Nothing was changed: the draft no longer has this finding."))
    else:
        words = {"place": place_words(finding), "reason": said(finding.reason)}
        messages.success(request, _("Mended: %(place)s. %(reason)s") % words)
    return back(request, reverse("dashboard:health", kwargs={"catalog": of.name}))
