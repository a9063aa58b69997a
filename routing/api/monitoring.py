"""``GET /metrics``: what Prometheus scrapes, of the catalogs that who asks may read."""

import hmac

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from routing.api.auth import Bearer
from routing.api.problems import Problem, overloaded, too_many, unauthorized
from routing.keys import catalogs_of, note_use
from routing.limits import RateExceeded
from routing.models import ApiKey
from routing.monitoring.exposition import CONTENT_TYPE
from routing.monitoring.gathering import answers, gather

EVERYTHING = "everything"


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with the catalogs of a key that may read, or with all where METRICS_TOKEN is sent."""
    try:
        text = _text(request)
    except Problem as problem:
        return problem.response()
    except RateExceeded as error:
        return too_many(str(error), retry_after=error.retry_after).response()
    except DatabaseError:
        return overloaded("The database does not answer.").response()
    return HttpResponse(text, content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _text(request: HttpRequest) -> str:
    now = timezone.now()
    if _has_token(request):
        every = Catalog.objects.filter(archived=False).order_by("name")
        return answers.of(EVERYTHING, lambda: gather(every, now=now))
    key = Bearer(ApiKey.Action.READ)(request)
    if not isinstance(key, ApiKey):
        raise unauthorized()
    note_use(key=key, now=now)
    own = catalogs_of(key).order_by("name")
    return answers.of(f"key {key.pk}", lambda: gather(own, now=now))


@sensitive_variables("wanted", "sent")
def _has_token(request: HttpRequest) -> bool:
    wanted = settings.METRICS_TOKEN.encode()
    scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
    if not wanted or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(sent.strip().encode("utf-8", "replace"), wanted)
