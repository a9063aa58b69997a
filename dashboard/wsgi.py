"""The WSGI application that granian serves."""

import logging
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, connections

from dashboard.chunked import with_lengths
from dashboard.supervised import end_when_left_alone
from dashboard.waiting_line import Line, Streams, with_waiting_lines

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
# Before what takes seconds, in which the supervisor may die as well.
end_when_left_alone()


def _line(name: str) -> Line:
    return Line(
        name,
        at_once=settings.REQUEST_THREADS,
        most=settings.REQUESTS_IN_FLIGHT,
        patience=settings.REQUEST_PATIENCE,
    )


application = with_lengths(
    with_waiting_lines(
        get_wsgi_application(),
        api=_line("api"),
        pages=_line("pages"),
        streams=Streams(at_once=settings.FILES_AT_ONCE, afterwards=connections.close_all),
        largest_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        largest_upload=settings.UPLOAD_MAX_BODY_BYTES,
    ),
    limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
)


def warm_up() -> None:
    """Compile the labelled releases before this process takes a request: no agent waits for that.

    The SDK of a router model takes a second to load as well.
    """
    # Apps are ready only now.
    from routing.compiled import compile_labelled_releases  # noqa: PLC0415
    from routing.llm.asking import connect_router  # noqa: PLC0415

    log = logging.getLogger(__name__)
    connect_router()
    try:
        compile_labelled_releases()
    except DatabaseError as error:
        # The server comes up all the same and says by /readyz what is missing.
        log.warning("Nothing is compiled yet: %s", error)
    except Exception:
        # One release that cannot be compiled must not take the other catalogs' agents with it.
        log.exception("Not every labelled release is compiled.")


warm_up()
