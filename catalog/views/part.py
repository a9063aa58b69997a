"""What the pages of phases, rules and routes do alike: show a form, save it, mind other people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import Http404

from catalog.editing import append
from catalog.forms.watched import Overtaken, WatchedForm
from catalog.models.part import Part
from catalog.views.requests import PageRequest

Save = Callable[[WatchedForm], Part]


@dataclass(frozen=True, slots=True)
class Answer:
    """A form to show with its status, or the part that was saved from it."""

    form: WatchedForm
    saved: Part | None = None
    status: int = 200
    overtaken: Sequence[Overtaken] = ()


def save_form(form: WatchedForm) -> Part:
    """Save a part as its form says, a new one as the last of its kind."""
    made: Part = form.save(commit=False)
    if made.pk:
        made.save()
    else:
        append(made)
    form.save_m2m()
    return made


def edit_part(
    request: PageRequest, row: Part, form_of: type[WatchedForm], *, save: Save = save_form
) -> Answer:
    """Show the form of a part, or save what was sent of it.

    A form that was sent to search shows what it found; one that somebody was quicker than shows
    what they changed, with status 409.
    """
    if request.method != "POST":
        return Answer(form_of(instance=row, catalog=row.catalog))
    return _take(request, row, form_of, save)


@transaction.atomic
def _take(request: PageRequest, row: Part, form_of: type[WatchedForm], save: Save) -> Answer:
    """Take what was sent. The row is locked while it is compared with what the form showed."""
    catalog, stored = row.catalog, _stored(row)
    form = form_of(request.POST, instance=row, catalog=catalog)
    if form.searches:
        blank = stored or type(row)(catalog=catalog)
        again = form_of(instance=blank, catalog=catalog, initial=form.typed())
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


def _stored(row: Part) -> Any:
    if row.pk is None:
        return None
    stored = type(row)._default_manager.select_for_update().filter(pk=row.pk).first()  # noqa: SLF001
    if stored is None:
        raise Http404("it was deleted meanwhile")
    stored.catalog = row.catalog
    return stored
