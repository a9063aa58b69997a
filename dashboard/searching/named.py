"""What of catalogs is found by its name and its words: tools, groups, phases and routes.

What is called exactly so comes first, then what is in the catalog at hand, then the better fit:
what begins so, what is called so in part, what says so. What comes after a hit is asked for by that
hit's place in this order, so that a long list is read on without being counted off.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Left
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.folding import folded_words
from catalog.models import Catalog, Group, Phase, Route, Tool
from dashboard.searching.hits import Found, Hit

_DETAIL = 160
_ORDER = ("inexact", "elsewhere", "fit", "name", "pk")


@dataclass(frozen=True, slots=True)
class Named:
    """A kind of part: its rows, where their words are, and the page of one."""

    label: Promise
    icon: str
    rows: Callable[[], "QuerySet[Any]"]
    words_in: str
    detail: str
    view: str
    parameter: str


NAMED: Mapping[str, Named] = {
    "tools": Named(
        _("Tools"), "tool", Tool.objects.all, "search_text", "description", "catalog:tool", "tool"
    ),
    "groups": Named(
        _("Groups"),
        "stack-2",
        Group.objects.all,
        "search_text",
        "description",
        "catalog:group",
        "group",
    ),
    "phases": Named(
        _("Phases"),
        "git-branch",
        Phase.objects.all,
        "name",
        "description",
        "catalog:phase",
        "phase",
    ),
    "routes": Named(_("Routes"), "route", Route.objects.all, "name", "", "catalog:route", "route"),
}


def find_named(
    kind: str,
    query: str,
    *,
    within: "QuerySet[Catalog]",
    here: Catalog | None,
    most: int,
    after: int = 0,
) -> Found:
    """Return at most ``most`` parts of a kind in the catalogs ``within``, from ``after`` on.

    ``after`` is the row of the last hit that was seen. One read, two with it.
    """
    of = NAMED[kind]
    rows = _fitting(of, query, within=within, here=here)
    if after:
        last = rows.filter(pk=after).values_list(*_ORDER).first()
        rows = rows.filter(_beyond(last)) if last else rows.none()
    read = rows.order_by(*_ORDER).values("pk", "name", "says", in_=F("catalog__name"))
    found = list(read[: most + 1])
    more = found[most - 1]["pk"] if len(found) > most else 0
    return Found(kind, of.label, of.icon, [_hit(of, row) for row in found[:most]], next=more)


def _fitting(
    of: Named, query: str, *, within: "QuerySet[Catalog]", here: Catalog | None
) -> "QuerySet[Any]":
    """Keep the rows that hold every word, and say how well each fits."""
    words = folded_words(query)
    rows: QuerySet[Any] = of.rows().filter(catalog__in=within.values("pk"))
    for word in words:
        rows = rows.filter(**{f"{of.words_in}__icontains": word})
    called = "_".join(words)
    inexact = Case(When(name__iexact=called, then=0), default=1, output_field=IntegerField())
    fit = Case(
        When(name__istartswith=called, then=1),
        When(name__icontains=called, then=2),
        default=3,
        output_field=IntegerField(),
    )
    elsewhere = Case(
        When(catalog=here.pk if here else 0, then=0), default=1, output_field=IntegerField()
    )
    says = Left(of.detail, _DETAIL) if of.detail else Value("")
    ranked: QuerySet[Any] = rows.annotate(inexact=inexact, elsewhere=elsewhere, fit=fit, says=says)
    return ranked


def _beyond(last: tuple[Any, ...]) -> Q:
    """Return the condition that a row comes after another in the order of ``_ORDER``."""
    beyond, same = Q(), Q()
    for column, value in zip(_ORDER, last, strict=True):
        beyond |= same & Q(**{f"{column}__gt": value})
        same &= Q(**{column: value})
    return beyond


def _hit(of: Named, row: Mapping[str, Any]) -> Hit:
    url = reverse(of.view, kwargs={"catalog": row["in_"], of.parameter: row["name"]})
    return Hit(title=row["name"], url=url, catalog=row["in_"], detail=row["says"])
