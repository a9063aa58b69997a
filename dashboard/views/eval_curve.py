"""The curve of an evaluation: pick an operating point, and apply it to the draft."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.access import Action
from catalog.forms.watched import values_of
from catalog.models import Catalog
from catalog.views.part import edit_part
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send
from dashboard.eval_curve import Picture, picture_of
from dashboard.forms.operating import OPERATING, OperatingForm
from dashboard.views.eval_compare import run_or_404
from routing.datasets import asking


@require_http_methods(["GET", "HEAD", "POST"])
def eval_curve(request: PageRequest, catalog: str, eval: int) -> HttpResponse:  # noqa: A002
    """Show coverage against size at every threshold and cap, or set the draft to one of them."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.EDIT))
    one = run_or_404(of, eval)
    curve = one.report.get("curve")
    picture = picture_of(curve, request.GET) if curve else None
    was = values_of(of, OPERATING)

    def form_of(*args: Any, **kwargs: Any) -> OperatingForm:
        return OperatingForm(*args, **{"initial": _picked(picture)} | kwargs)

    answer = edit_part(request, of, form_of)
    if answer.saved:
        _say_applied(request, was, values_of(answer.saved, OPERATING))
        page = reverse("dashboard:eval_curve", kwargs={"catalog": of.name, "eval": one.number})
        return redirect(f"{page}?{request.GET.urlencode()}")
    context = {
        "catalog": of,
        "run": one,
        "subject": asking.subject_name(one),
        "picture": picture,
        "form": answer.form,
        "overtaken": answer.overtaken,
        "is_applied": picture is not None and _is_applied(of, picture),
    }
    return render(request, "dashboard/eval_curve.html", context, status=answer.status)


def _picked(picture: Picture | None) -> dict[str, Any]:
    if picture is None or picture.picked is None:
        return {}
    setting = picture.picked.point.setting
    values = (setting.threshold, setting.cap, setting.inclusive)
    return dict(zip(OPERATING, values, strict=True))


def _is_applied(catalog: Catalog, picture: Picture) -> bool:
    return _picked(picture) == values_of(catalog, OPERATING)


def _say_applied(request: PageRequest, was: dict[str, Any], now: dict[str, Any]) -> None:
    """Tell what of the draft changed; the message offers to undo it."""
    words = {"threshold": _("threshold"), "max_tools": _("cap"), "inclusive": _("inclusive")}
    changes = [
        f"{words[name]} {_written(was[name])} → {_written(now[name])}"
        for name in OPERATING
        if was[name] != now[name]
    ]
    if changes:
        said = _("The draft has changed: %(changes)s. Review it, then publish.")
        messages.success(request, said % {"changes": ", ".join(changes)})
    else:
        messages.info(request, _("The draft has this setting already."))


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)
