"""What a draft would be if a form were saved; nothing of it is."""

from catalog.forms.watched import WatchedForm
from catalog.models import Catalog
from catalog.publishing import FrozenDraft, freeze_and_check
from catalog.recording import recorded
from catalog.views.part import save_form


class _Enough(Exception):
    """The draft was looked at: take back what was saved."""


def draft_with(form: WatchedForm, *, catalog: Catalog) -> FrozenDraft:
    """Return the draft as it would be with what a valid form says.

    The form is saved, so that renamed parts are followed as a save follows them, and taken back in
    the same transaction: there is no entry of it, and nobody else has seen it.
    """
    found: list[FrozenDraft] = []
    try:
        with recorded(catalog=catalog):
            save_form(form)
            found.append(freeze_and_check(catalog))
            raise _Enough
    except _Enough:
        return found[0]
