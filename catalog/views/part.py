"""What the editors of a draft do alike: show a form, save it, mind other people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404
from django.utils.translation import gettext as _

from catalog.editing import append
from catalog.forms.watched import Overtaken, WatchedForm
from catalog.models import Catalog
from catalog.models.part import Part
from catalog.recording import last_editor, recorded
from catalog.renaming import renaming_of
from catalog.views.requests import PageRequest

NAMED = 5  # of each kind of part that follows a new name
Row = Part | Catalog
Save = Callable[[WatchedForm], Any]
FormOf = Callable[..., WatchedForm]


@dataclass(frozen=True, slots=True)
class Answer:
    """A form to show with its status, or the row that was saved from it and its name before."""

    form: WatchedForm
    saved: Any = None
    was: str = ""
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


def _take(request: PageRequest, row: Row, form_of: FormOf, save: Save) -> Answer:
    """Take what was sent. The row is locked while it is compared with what the form showed."""
    with recorded(catalog=_catalog_of(row), action="add" if row.pk is None else "edit"):
        return _compare_and_save(request, row, form_of, save)


def _compare_and_save(request: PageRequest, row: Row, form_of: FormOf, save: Save) -> Answer:
    catalog, stored = _catalog_of(row), _stored(row)
    form = form_of(request.POST, instance=row, catalog=catalog)
    if form.searches:
        again = form_of(instance=stored or _blank(row), catalog=catalog, initial=form.typed())
        again.look_again(form)
        return Answer(again)
    if not form.is_valid():
        return Answer(form, status=422)
    if stored and (overtaken := form.overtaken_by(stored, by=last_editor(catalog, stored))):
        merged = form_of(instance=stored, catalog=catalog, initial=form.own_changes())
        return Answer(merged, status=409, overtaken=overtaken)
    return Answer(form, saved=save(form), was=str(stored or ""))


def say_saved(request: PageRequest, answer: Answer) -> None:
    """Tell that a part with a name is saved; where the name is new, who follows it and who not."""
    renaming = renaming_of(part=answer.saved, was=answer.was)
    if renaming is None:
        messages.success(request, _("“%(name)s” is saved.") % {"name": answer.saved})
        return
    said = [_("“%(was)s” is now called “%(now)s”.") % {"was": renaming.was, "now": renaming.now}]
    if renaming.followed:
        places = "; ".join(f"{use.kind}: {_few(use.names)}" for use in renaming.followed)
        said.append(_("Renamed there too: %(places)s.") % {"places": places})
    if renaming.was in getattr(answer.saved, "aliases", ()):
        said.append(_("Calls by the old name are still accepted: it is an alias now."))
    messages.success(request, " ".join(said))
    for kept in renaming.kept:
        messages.warning(request, kept)


def steps(request: PageRequest) -> int:
    """Return how far a button moves a part."""
    return -1 if request.POST.get("to") == "up" else 1


def _few(names: Sequence[str]) -> str:
    shown, more = names[:NAMED], len(names) - NAMED
    return ", ".join(shown) + (f" (+{more})" if more > 0 else "")


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
