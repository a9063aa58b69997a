"""Begin a catalog as a copy of what another one says."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.drafting import fill_draft
from catalog.importing import copy_origins
from catalog.members import make_catalog
from catalog.models import Catalog
from catalog.models.catalog import TEXT_POLICY


@transaction.atomic
def clone_catalog(
    *, document: Mapping[str, Any], of: Catalog, name: str, title: str, by: User, note: str
) -> Catalog:
    """Make a catalog whose draft says what a document of another says, under its own title.

    Its history begins anew: it has no version, and each of its tools begins at revision 1. Only
    whoever makes it is a member of it. Keys, labels, circuits and runs stay with the other; what
    is kept of text, and for how long, is as there.
    """
    policy = {field: getattr(of, field) for field in TEXT_POLICY}
    made = make_catalog(catalog=Catalog(name=name, title=title, **policy), by=by)
    fill_draft(catalog=made, document={**document, "title": title}, action="clone", note=note)
    copy_origins(of=of, to=made)
    return made
