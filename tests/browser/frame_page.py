"""A page with each shared partial on it, and the root URLs with that page added."""

from pathlib import Path

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import engines
from django.urls import path

from dashboard.charts import Chart, Series
from dashboard.urls import urlpatterns as pages

PAGE = (Path(__file__).parent / "frame.html").read_text()


class FrameForm(forms.Form):
    """A control of each kind."""

    name = forms.CharField(help_text="Lower case, digits and underscores.")
    note = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), required=False)
    strategy = forms.ChoiceField(choices=[("auto", "auto"), ("all", "all")])
    enabled = forms.BooleanField(required=False, help_text="Agents see it from the next version.")
    effects = forms.MultipleChoiceField(
        choices=[("read", "reads"), ("write", "writes")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def clean(self) -> dict[str, object]:
        """Refuse every form, so that its errors are seen."""
        raise forms.ValidationError("The draft was changed by someone else.")


def frame(request: HttpRequest) -> HttpResponse:
    """Show every partial, the form with its errors."""
    days = [f"2 Nov {hour:02}:00" for hour in range(24)]
    messages.success(request, "Version 3 is live.")
    messages.warning(request, "Two tools have no description.")
    context = {
        "bars": Chart(
            id="requests",
            title="More groups asked for",
            label_title="Hour",
            labels=days,
            series=[
                Series("billing", [hour % 5 for hour in range(24)]),
                Series("stock", [hour % 7 for hour in range(24)]),
            ],
            type="bar",
            stacked=True,
        ),
        "lines": Chart(
            id="confidence",
            title="Confidence",
            label_title="Hour",
            labels=days,
            series=[
                Series("median", [60 + hour for hour in range(24)]),
                Series("lowest tenth", [None, *(30 + hour % 9 for hour in range(23))]),
            ],
            unit="%",
        ),
        "form": FrameForm({"name": "", "strategy": "auto"}),
        "page": Paginator(range(200), 5).get_page(request.GET.get("page")),
    }
    template = engines["django"].from_string(PAGE)
    return HttpResponse(template.render(context, request))


def refused(request: HttpRequest) -> HttpResponse:
    """Answer as a form with an error does."""
    return HttpResponse('<p id="refusal">Not a name.</p>', status=422)


def saved(request: HttpRequest) -> HttpResponse:
    """Answer with a message alone."""
    messages.success(request, "Saved.")
    return render(request, "_messages.html", {"oob": True})


def broken(request: HttpRequest) -> HttpResponse:
    """Answer as a server does that has failed."""
    return HttpResponse(status=503)


def unsafe(request: HttpRequest) -> HttpResponse:
    """Break the policy, as a careless page would."""
    return HttpResponse("<!doctype html><title>x</title><h1>x</h1><script>alert(1)</script>")


urlpatterns = [
    *pages,
    path("frame", frame),
    path("frame/empty", lambda request: HttpResponse("<p>Gone</p>")),
    path("frame/broken", broken),
    path("frame/refused", refused),
    path("frame/saved", saved),
    path("frame/unsafe", unsafe),
]
