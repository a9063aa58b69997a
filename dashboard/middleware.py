"""The middlewares that only pages need, skipped for the API and the probes.

An agent calls the API on every step and brings a key, so a session, a language, a CSRF token or a
message would cost it 60 to 130 microseconds each and give it nothing.
"""

from collections.abc import Callable
from typing import Any

from csp.middleware import CSPMiddleware
from django.contrib.auth.middleware import AuthenticationMiddleware, LoginRequiredMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.locale import LocaleMiddleware
from django_htmx.middleware import HtmxMiddleware

from catalog.recording import acting, operations_done
from dashboard.preferences import in_the_readers_words
from dashboard.undoing import offer_undo

GetResponse = Callable[[HttpRequest], HttpResponseBase]

PROGRAM_PATHS = ("/api/", "/healthz", "/readyz", "/metrics")


def is_program(request: HttpRequest) -> bool:
    """Tell whether a request is a program's: the API's docs page alone is for people."""
    path = request.path_info
    return path.startswith(PROGRAM_PATHS) and path != "/api/v1/docs"


def _for_pages(middleware: Callable[[Any], Any]) -> Callable[[GetResponse], GetResponse]:
    """Return a middleware that does what another does, for pages alone."""

    def build(get_response: GetResponse) -> GetResponse:
        wrapped = middleware(get_response)
        process_view = getattr(wrapped, "process_view", None)

        def handle(request: HttpRequest) -> HttpResponseBase:
            answer = get_response if is_program(request) else wrapped
            response: HttpResponseBase = answer(request)
            return response

        if process_view is not None:

            def process_page_view(request: HttpRequest, *view: object) -> object:
                return None if is_program(request) else process_view(request, *view)

            handle.process_view = process_page_view  # type: ignore[attr-defined]
        return handle

    return build


def page_acting(get_response: GetResponse) -> GetResponse:
    """Have what a page's request does recorded as done by who sent it."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        if is_program(request):
            return get_response(request)
        # The person is read only where something is recorded.
        with acting(by=getattr(request, "user", None), via="page"):
            return get_response(request)

    return handle


def page_undo(get_response: GetResponse) -> GetResponse:
    """Offer to undo in the message that tells what was done."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        if request.method != "POST" or is_program(request):
            return get_response(request)
        with operations_done() as done:
            response = get_response(request)
        offer_undo(request, done)
        return response

    return handle


page_csp = _for_pages(CSPMiddleware)
page_sessions = _for_pages(SessionMiddleware)
page_locale = _for_pages(LocaleMiddleware)
page_common = _for_pages(CommonMiddleware)
page_csrf = _for_pages(CsrfViewMiddleware)
page_authentication = _for_pages(AuthenticationMiddleware)
page_preferences = _for_pages(in_the_readers_words)
page_login_required = _for_pages(LoginRequiredMiddleware)
page_messages = _for_pages(MessageMiddleware)
page_htmx = _for_pages(HtmxMiddleware)
