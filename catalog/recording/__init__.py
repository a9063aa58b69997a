"""Every change of a draft is kept in the audit log, whichever way the ORM wrote it.

    with acting(by=user, via="page"):                     # a middleware does so for each request
        with recorded(catalog=catalog, action="bulk_edit") as operation:
            ...                                           # any writes of the draft's rows
    undo(catalog=catalog, operation=operation.id)

A write outside of ``recorded`` is an operation by itself. Deeds that change no row of a draft are
kept by ``note_deed``. ``catalog.rewriting.write_document`` makes a draft say what a document says.
"""

from catalog.recording.actor import acting, current_actor
from catalog.recording.blocks import operations_done, recorded
from catalog.recording.deeds import note_deed
from catalog.recording.last_edit import last_editor
from catalog.recording.ledger import Operation
from catalog.recording.undoing import CannotUndo, undo, undoable

__all__ = [
    "CannotUndo",
    "Operation",
    "acting",
    "current_actor",
    "last_editor",
    "note_deed",
    "operations_done",
    "recorded",
    "undo",
    "undoable",
]
