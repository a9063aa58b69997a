"""What a picker finds while somebody types into its search box."""

import re
from typing import cast

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_POST

from catalog.access import NEEDS, Action
from catalog.forms.picking import Kind, PickWidget
from catalog.views.requests import PageRequest, catalog_or_404

_IS_FIELD = re.compile("[a-z_]{1,40}")


@require_POST
def pick(request: PageRequest, catalog: str, of: str) -> HttpResponse:
    """Answer what the search box of ``?field=`` finds, and what is chosen in the form around it."""
    owner = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    if of not in ("tools", "groups"):
        raise Http404(f"no picker of {of}")
    field = request.GET.get("field", of)
    if not _IS_FIELD.fullmatch(field):
        raise BadRequest("not a field")
    widget = PickWidget(cast("Kind", of))
    widget.catalog = owner
    chosen = widget.value_from_datadict(request.POST, None, field)
    return HttpResponse(widget.render_choices(field, chosen))
