"""The rules of a catalog, kind by kind, in the order in which they are tried."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.access import NEEDS, Action, Role
from catalog.editing import move_part
from catalog.forms.rules import ChannelRuleForm, IntentRuleForm, KeywordRuleForm
from catalog.forms.watched import WatchedForm
from catalog.models import Catalog, ChannelRule, IntentRule, KeywordRule
from catalog.views.part import edit_part, steps
from catalog.views.requests import PageRequest, catalog_or_404, render_page, role_to_send

TEMPLATE = "catalog/rules.html"
EDITOR = NEEDS[Action.EDIT]
ROWS = 50
Rule = KeywordRule | IntentRule | ChannelRule


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of rule: its rows, its form, and words about it."""

    model: type[Rule]
    form: type[WatchedForm]
    parts: tuple[str, ...]
    plural: Promise
    adding: Promise
    about: Promise


KINDS: Mapping[str, Kind] = {
    "keyword": Kind(
        model=KeywordRule,
        form=KeywordRuleForm,
        parts=("add_tools", "remove_tools", "add_groups", "remove_groups"),
        plural=gettext_lazy("Keyword rules"),
        adding=gettext_lazy("Add keyword rule"),
        about=gettext_lazy(
            "A pattern over the task and its history adds or removes tools and groups. Every rule "
            "that matches counts; what one removes no other adds."
        ),
    ),
    "intent": Kind(
        model=IntentRule,
        form=IntentRuleForm,
        parts=("tools", "groups"),
        plural=gettext_lazy("Intent rules"),
        adding=gettext_lazy("Add intent rule"),
        about=gettext_lazy(
            "Plain words that name an intent, tried before anything semantic. The history counts "
            "only where the task itself holds none of them."
        ),
    ),
    "channel": Kind(
        model=ChannelRule,
        form=ChannelRuleForm,
        parts=("groups",),
        plural=gettext_lazy("Channel rules"),
        adding=gettext_lazy("Add channel rule"),
        about=gettext_lazy(
            "Where a task came in decides which groups it opens, with no model at all and before "
            "any intent."
        ),
    ),
}


@require_safe
def rules(request: PageRequest, catalog: str) -> HttpResponse:
    """List the rules of one kind in order."""
    owner = catalog_or_404(request, catalog)
    kind = request.GET.get("kind", "")
    context = _list(request, owner, kind if kind in KINDS else "keyword")
    return render_page(request, TEMPLATE, context, fragment="rule-list")


@require_http_methods(["GET", "HEAD", "POST"])
def rule(request: PageRequest, catalog: str, kind: str, rule: int) -> HttpResponse:
    """Show a rule, or save it."""
    row = _rule(request, catalog, kind, rule, role=role_to_send(request, Action.EDIT))
    answer = edit_part(request, row, KINDS[kind].form)
    if answer.saved:
        messages.success(request, _("The rule is saved."))
        return redirect(_address(catalog, kind))
    stored = _rule(request, catalog, kind, rule)
    context: dict[str, object] = {"catalog": stored.catalog, "part": stored, "form": answer.form}
    context |= {"kind": kind, "words": KINDS[kind], "overtaken": answer.overtaken}
    return render(request, "catalog/rule.html", context, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def new_rule(request: PageRequest, catalog: str, kind: str) -> HttpResponse:
    """Show the form of a new rule, or add it as the last of its kind."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    words = _kind(kind)
    answer = edit_part(request, words.model(catalog=owner), words.form)
    if answer.saved:
        messages.success(request, _("The rule is added as the last of its kind."))
        return redirect(_address(catalog, kind))
    context = {"catalog": owner, "form": answer.form, "kind": kind, "words": words}
    return render(request, "catalog/rule.html", context, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_rule(request: PageRequest, catalog: str, kind: str, rule: int) -> HttpResponse:
    """Ask before a rule is deleted; then delete it."""
    row = _rule(request, catalog, kind, rule, role=EDITOR)
    if request.method == "POST":
        row.delete()
        messages.success(request, _("The rule is deleted."))
        return redirect(_address(catalog, kind))
    context: dict[str, object] = {"catalog": row.catalog, "part": row, "uses": ()}
    context |= {"question": _("Delete the rule “%(rule)s”?") % {"rule": row}}
    context |= {"note": _("The tools and groups that it names stay in the catalog.")}
    return render(request, "catalog/delete.html", context)


@require_POST
def move_rule(request: PageRequest, catalog: str, kind: str, rule: int) -> HttpResponse:
    """Move a rule one place up or down among its kind."""
    row = _rule(request, catalog, kind, rule, role=EDITOR)
    move_part(part=row, steps=steps(request))
    if not request.htmx:
        return redirect(_address(catalog, kind))
    context = _list(request, row.catalog, kind) | {"done": _("The rule is moved.")}
    return render(request, f"{TEMPLATE}#rule-list", context)


def rows_of(catalog: Catalog, kind: str) -> "QuerySet[Rule]":
    """Return the rules of a kind in the order in which they are tried."""
    # The related managers give each rule this very catalog, which knows the person's role.
    rows: QuerySet[Rule] = getattr(catalog, f"{kind}rules").order_by("position", "id")
    return rows


def _list(request: PageRequest, catalog: Catalog, kind: str) -> dict[str, object]:
    rows = rows_of(catalog, kind).prefetch_related(*KINDS[kind].parts)
    page = Paginator(rows, ROWS).get_page(request.GET.get("page", "1"))
    tabs = [(key, words.plural, rows_of(catalog, key).count()) for key, words in KINDS.items()]
    return {"catalog": catalog, "kind": kind, "words": KINDS[kind], "page": page, "tabs": tabs}


def _kind(kind: str) -> Kind:
    if kind not in KINDS:
        raise Http404(f"no rules of the kind {kind}")
    return KINDS[kind]


def _rule(
    request: PageRequest, catalog: str, kind: str, rule: int, *, role: Role = Role.VIEWER
) -> Rule:
    owner = catalog_or_404(request, catalog, role=role)
    _kind(kind)
    found: Rule = get_object_or_404(rows_of(owner, kind), pk=rule)
    return found


def _address(catalog: str, kind: str) -> str:
    return f"{reverse('catalog:rules', kwargs={'catalog': catalog})}?kind={kind}"
