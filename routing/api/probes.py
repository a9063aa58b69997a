"""What a load balancer asks: is the process up, and can it answer?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from routing.compiled import compiled_release
from routing.models import LabelMove


def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer while the process is up."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 once the database answers and every live release is compiled here."""
    try:
        connection.ensure_connection()
        live = list(
            LabelMove.objects.current()
            .filter(catalog__archived=False)
            .values_list("release_id", flat=True)
        )
    except DatabaseError:
        return JsonResponse({"status": "unavailable", "reason": "database"}, status=503)
    for release in live:
        compiled_release(release)
    return JsonResponse({"status": "ok", "releases": len(live)})
