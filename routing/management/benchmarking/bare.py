"""The least that an endpoint does: know its key, read its body, and write one row, durably.

What a decision costs is measured beside it; nothing serves it.
"""

from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.urls import path
from django.utils import timezone
from ninja import NinjaAPI, Router

from routing.api import refusals
from routing.api.app import api as whole
from routing.api.auth import Bearer, KeyRequest
from routing.api.bodies import dumps, json_response
from routing.api.parsing import StrictParser
from routing.api.schemas.common import In
from routing.models import ApiKey, Run, Span
from routing.spans import write_span

BARE = "/api/bare/rows"


class RowIn(In):
    """As much as a proposal says."""

    tool: str
    arguments: dict[str, Any]
    idempotency_key: str | None = None


router = Router(auth=Bearer(ApiKey.Action.PROPOSE))


@router.post("/rows")
def create_row(request: KeyRequest, body: RowIn) -> HttpResponse:
    """Write one row of the kind that every decision writes, and answer."""
    now = timezone.now()
    with transaction.atomic():
        run = Run(
            pk=_known["run"],
            catalog_id=_known["catalog"],
            key_id=request.auth.pk,
            release_id=_known["release"],
        )
        span = write_span(run=run, name=Span.Name.CALL, now=now)
    return json_response(dumps({"id": str(span.uid), "tool": body.tool}), status=201)


# The row's foreign keys, known beforehand: looking them up is no part of the least.
_known: dict[str, int] = {}


def know(run: Run) -> None:
    """Say which run the rows are of."""
    _known.update(run=run.pk, catalog=run.catalog_id, release=run.release_id)


_bare = NinjaAPI(urls_namespace="bare", parser=StrictParser(), docs_url=None, openapi_url=None)
_bare.add_router("", router)
refusals.install(_bare)

urlpatterns = [path("api/v1/", whole.urls), path("api/bare/", _bare.urls)]
