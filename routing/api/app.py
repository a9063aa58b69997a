"""The API as a whole: its routers, its errors, its document and its docs page."""

from django.contrib.auth.decorators import login_not_required
from ninja import NinjaAPI

from routing.api import batches, calls, catalogs, published, refusals, runs, selections
from routing.api.parsing import StrictParser

api = NinjaAPI(
    title="Toolcrib",
    version="1",
    description=(
        "Which tools should an agent carry for this task? Every error is an RFC 9457 problem "
        "document."
    ),
    urls_namespace="api",
    parser=StrictParser(),
    docs_decorator=login_not_required,
)
api.add_router("/catalogs", catalogs.router)
api.add_router("/selections", selections.router)
api.add_router("/selections", calls.proposals)
api.add_router("/calls", calls.router)
api.add_router("/runs", runs.router)
api.add_router("/spans", batches.router)
api.add_router("/schemas", published.router)
refusals.install(api)
