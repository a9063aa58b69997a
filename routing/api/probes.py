"""What a load balancer asks: is the process up, and can it answer?"""

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse

from routing.compiled import compile_labelled_releases


def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer while the process is up."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 once the database answers and every labelled release is compiled here."""
    try:
        releases = compile_labelled_releases()
    except DatabaseError:
        return JsonResponse({"status": "unavailable", "reason": "database"}, status=503)
    return JsonResponse({"status": "ok", "releases": releases})
