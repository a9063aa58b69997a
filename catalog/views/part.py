"""What the editors of a draft do alike: show a form, save it, mind other people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import Http404

from catalog.editing import append
from catalog.forms.watched import Overtaken, WatchedForm
from catalog.models import Catalog
from catalog.models.part import Part
from catalog.views.requests import PageRequest

Row = Part | Catalog
Save = Callable[[WatchedForm], Any]
FormOf = Callable[..., WatchedForm]


@dataclass(frozen=True, slots=True)
class Answer:
    """A form to show with its status, or the part that was saved from it."""

    form: WatchedForm
    saved: Any = None
    status: int = 200
    overtaken: Sequence[Overtaken] = ()


def save_form(form: WatchedForm) -> Any:
    """Save a row as its form says, a new part as the last of its kind."""
    made: Row = form.save(commit=False)
    if made.pk or isinstance(made, Catalog):
        made.save()
    else:
        append(made)
    form.save_m2m()
    return made


def edit_part(request: PageRequest, row: Row, form_of: FormOf, *, save: Save = save_form) -> Answer:
    """Show the form of a part, or of a catalog's settings, or save what was sent of it.

    A form that was sent to search shows what it found; one that somebody was quicker than shows
    what they changed, with status 409.
    """
    if request.method != "POST":
        return Answer(form_of(instance=row, catalog=_catalog_of(row)))
    return _take(request, row, form_of, save)


@transaction.atomic
def _take(request: PageRequest, row: Row, form_of: FormOf, save: Save) -> Answer:
    """Take what was sent. The row is locked while it is compared with what the form showed."""
    catalog, stored = _catalog_of(row), _stored(row)
    form = form_of(request.POST, instance=row, catalog=catalog)
    if form.searches:
        again = form_of(instance=stored or _blank(row), catalog=catalog, initial=form.typed())
        again.look_again(form)
        return Answer(again)
    if not form.is_valid():
        return Answer(form, status=422)
    if stored and (overtaken := form.overtaken_by(stored)):
        merged = form_of(instance=stored, catalog=catalog, initial=form.own_changes())
        return Answer(merged, status=409, overtaken=overtaken)
    return Answer(form, saved=save(form))


def steps(request: PageRequest) -> int:
    """Return how far a button moves a part."""
    return -1 if request.POST.get("to") == "up" else 1


def _catalog_of(row: Row) -> Catalog:
    return row if isinstance(row, Catalog) else row.catalog


def _blank(row: Row) -> Any:
    model: Any = type(row)
    return model(catalog=_catalog_of(row))


def _stored(row: Row) -> Any:
    if row.pk is None:
        return None
    stored: Any = type(row)._default_manager.select_for_update().filter(pk=row.pk).first()  # noqa: SLF001
    if stored is None:
        raise Http404("it was deleted meanwhile")
    if isinstance(row, Part):
        stored.catalog = row.catalog
    return stored
