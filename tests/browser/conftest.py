"""Pages in headless Chromium, which fail a test by any complaint of the browser.

Every test here gets its page from `clean_page` (nobody signed in) or `signed_in_page`. Both fail
the test on a console error, an uncaught exception, a Content-Security-Policy violation, a failed
request and a request to any other host.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import ConsoleMessage, Page, Request, Response
from pytest_django.live_server_helper import LiveServer

# Playwright keeps an event loop running in the tests' thread; Django takes that for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# The shell without a window of its own does in less time what these tests ask.
_KNOWN = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = Path(
    os.environ.get("CHROMIUM", next((path for path in _KNOWN if path.exists()), _KNOWN[-1]))
)
# The browser keeps to the pages of the tests; Debian's would otherwise look for updates.
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
]
HERE = Path(__file__).parent
# What htmx says of a request that is cut off by leaving the page; of one that fails it says more.
_CUT_OFF = ("htmx:sendAbort", "htmx:afterRequest")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, so that `-m "not browser"` leaves them out.

    The long walks begin first: at the end, the other processes would wait for them.
    """
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.path != HERE / "test_every_page.py")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start Debian's Chromium. In CI its absence is a failure, elsewhere a reason to skip."""
    if not CHROMIUM.exists():
        reason = f"{CHROMIUM} is missing: apt-get install chromium, or name one in CHROMIUM"
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM), "args": CHROMIUM_ARGS}


@pytest.fixture(scope="session")
def base_url(live_server: LiveServer) -> str:
    """Let tests go to "/sign-in" without the address of the server."""
    return live_server.url


class Complaints:
    """What the browser complained of, in words."""

    def __init__(self, *, origin: str) -> None:
        self.seen: list[str] = []
        self._origin = origin
        self._expected_statuses: set[int] = set()
        self._expected_texts: set[str] = set()

    def expect_status(self, *statuses: int) -> None:
        """Let answers of these statuses pass: the test brings them about."""
        self._expected_statuses.update(statuses)

    def expect_console(self, text: str) -> None:
        """Let console errors that hold a text pass: the test brings them about."""
        self._expected_texts.add(text)

    def listen_to(self, page: Page) -> None:
        """Note everything that goes wrong on a page from now on."""
        page.on("console", self._hear_console)
        page.on("pageerror", lambda error: self.seen.append(f"uncaught: {error}"))
        page.on("request", self._hear_request)
        page.on("requestfailed", self._hear_failure)
        page.on("response", self._hear_response)
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) => console.error("
            "'policy violation: ' + event.violatedDirective + ' ' + event.blockedURI))"
        )

    def _hear_console(self, message: ConsoleMessage) -> None:
        # The browser's own line about a status is heard, with its address, as the response.
        expected = {"Failed to load resource", *_CUT_OFF, *self._expected_texts}
        if message.type == "error" and not any(text in message.text for text in expected):
            self.seen.append(f"console: {message.text} ({message.location.get('url')})")

    def _hear_request(self, request: Request) -> None:
        if not request.url.startswith((self._origin, "data:", "blob:")):
            self.seen.append(f"request to another host: {request.url}")

    def _hear_failure(self, request: Request) -> None:
        # Leaving a page cuts off what it was still asking for.
        if request.failure != "net::ERR_ABORTED":
            self.seen.append(f"request failed: {request.url} {request.failure}")

    def _hear_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self._expected_statuses:
            self.seen.append(f"{response.status} from {response.request.method} {response.url}")


@pytest.fixture
def complaints(page: Page, live_server: LiveServer) -> Complaints:
    """Return what the browser complains of while the test runs."""
    complaints = Complaints(origin=live_server.url)
    complaints.listen_to(page)
    return complaints


@pytest.fixture
def clean_page(page: Page, complaints: Complaints) -> Iterator[Page]:
    """Yield a page on which nobody is signed in, and fail if the browser complained."""
    yield page
    assert not complaints.seen, "\n".join(complaints.seen)


@pytest.fixture
def signed_in_page(clean_page: Page, live_server: LiveServer, signed_in: Client) -> Page:
    """Return a page that carries ana's session."""
    carry_session(clean_page, signed_in, live_server)
    return clean_page


def carry_session(page: Page, client: Client, live_server: LiveServer) -> None:
    """Give a browser the session of a test client."""
    name = settings.SESSION_COOKIE_NAME
    value = client.cookies[name].value
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
