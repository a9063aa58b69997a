"""What a draft would be if a form were saved; nothing of it is."""

from catalog.forms.watched import WatchedForm
from catalog.freezing import Frozen, frozen_draft
from catalog.models import Catalog
from catalog.publishing import FrozenDraft, checked
from catalog.recording import recorded
from catalog.views.part import save_form


class _Enough(Exception):
    """The draft was looked at: take back what was saved."""


def draft_with(form: WatchedForm, *, catalog: Catalog) -> FrozenDraft:
    """Return the draft as it would be with what a valid form says.

    The form is saved, so that renamed parts are followed as a save follows them, and taken back in
    the same transaction: there is no entry of it, and nobody else has seen it. Who saves meanwhile
    waits no longer than that takes: the draft is checked afterwards.
    """
    found: list[Frozen] = []
    try:
        with recorded(catalog=catalog):
            save_form(form)
            found.append(frozen_draft(catalog))
            raise _Enough
    except _Enough:
        return checked(found[0])
