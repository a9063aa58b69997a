"""The rule tester: which rules of the draft fire for a task or a channel, and what they add."""

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from catalog.freezing import freeze_rules
from catalog.models import Catalog, ChannelRule
from catalog.views.requests import PageRequest, catalog_or_404, render_page
from catalog.views.rules import KINDS
from routing.rule_trial import FiredRule, fired_rules
from routing.selection import Channel

TEMPLATE = "dashboard/rule_trial.html"
LONGEST = 20_000


@require_http_methods(["GET", "HEAD", "POST"])
def try_rules(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the tester; say what fires for what was typed. Nothing of it is kept."""
    owner = catalog_or_404(request, catalog)
    task = request.POST.get("task", "")[:LONGEST]
    kind, value = request.POST.get("channel_kind", ""), request.POST.get("channel", "").strip()
    channel = Channel(kind, value) if kind in ChannelRule.Kind.values and value else None
    context: dict[str, object] = {"catalog": owner, "task": task, "channel": value[:200]}
    context |= {"channel_kind": kind, "typed": bool(task.strip() or channel)}
    if context["typed"]:
        context["fired"] = _with_addresses(
            owner, fired_rules(freeze_rules(owner), task=task, channel=channel)
        )
    return render_page(request, TEMPLATE, context, fragment="tried")


def _with_addresses(
    catalog: Catalog, fired: list[FiredRule]
) -> list[tuple[FiredRule, str, object]]:
    """Return each rule with the page where it is edited, and the words for its kind."""
    rows = {
        kind: list(getattr(catalog, f"{kind}rules").order_by("position", "id"))
        for kind in {one.kind for one in fired}
    }
    return [
        (one, rows[one.kind][one.number - 1].get_absolute_url(), KINDS[one.kind].plural)
        for one in fired
    ]
