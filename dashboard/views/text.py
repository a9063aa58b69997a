"""What is kept of text: shown, tried, changed, and applied to what is stored."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.models.catalog import TextKept
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send
from dashboard.forms.text import TextForm
from dashboard.text_words import redactions_told
from routing.models import TextAge
from routing.texts.aging import BEGINNING
from routing.texts.policy import Overtaken, Policy, change_policy
from routing.texts.sweeping import NothingToDo, ask_for_sweep, sweep_for
from routing.working import is_working

AT_ONCE = 1.0
"""Seconds that a page applies a setting itself; the worker does the rest."""


@require_http_methods(["GET", "HEAD", "POST"])
def text(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what is kept; change it, or show what it would leave of a sample."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.KEEP_TEXT))
    if request.method != "POST":
        return _page(request, of, TextForm.showing(Policy.of(of)))
    form = TextForm(request.POST)
    if not form.is_valid():
        return _page(request, of, form, status=422)
    if "try" in request.POST:
        return _page(request, of, form, tried=form.tried())
    try:
        changed = change_policy(catalog=of, policy=form.policy, seen=form.cleaned_data["seen"])
    except Overtaken:
        return _overtaken(request, of)
    if changed:
        messages.success(request, _("Saved. It counts for what is written from now on."))
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("dashboard:text", catalog=of.name)


@require_http_methods(["GET", "HEAD", "POST"])
def stored_text(request: PageRequest, catalog: str) -> HttpResponse:
    """Ask first; then apply what is kept now to what was kept before."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.KEEP_TEXT])
    if of.text_kept is TextKept.FULL:
        messages.info(request, _("Text is kept in full: there is nothing to apply."))
        return redirect("dashboard:text", catalog=of.name)
    if request.method != "POST":
        context = {"catalog": of, "redacted": redactions_told(of.redactions)}
        return render(request, "dashboard/stored_text.html", context)
    now = timezone.now()
    try:
        sweep = ask_for_sweep(catalog=of, by=request.user, now=now)
    except NothingToDo:
        return redirect("dashboard:text", catalog=of.name)
    if sweep_for(AT_ONCE, now=now, of=sweep):
        messages.success(request, _("What was stored is as it would be kept now."))
    return redirect("dashboard:text", catalog=of.name)


def _overtaken(request: PageRequest, of: Catalog) -> HttpResponse:
    """Show what was typed once more, this time over what somebody else saved meanwhile."""
    of.refresh_from_db()
    sent = request.POST.copy()
    sent["seen"] = Policy.of(of).mark
    form = TextForm(sent)
    form.is_valid()
    return _page(request, of, form, overtaken=True, status=409)


def _page(
    request: PageRequest, of: Catalog, form: TextForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "catalog": of,
        "form": form,
        "stands": redactions_told(of.redactions),
        "sweep": of.text_sweeps.first(),
        "age": TextAge.objects.filter(catalog=of, upto__gt=BEGINNING).first(),
        "working": is_working(now=timezone.now()),
        **more,
    }
    return render(request, "dashboard/text.html", context, status=status)
