"""Fetch a document from an address, through the guard of outgoing requests."""

from collections.abc import Callable, Mapping

import httpx2
from django.views.decorators.debug import sensitive_variables

from routing.outgoing import outgoing_client
from routing.sources.results import MOST_BYTES, Fetched, SourceFailed, plain_address

TIMEOUT, TOTAL = 10.0, 30.0
OpenClient = Callable[[bool], httpx2.Client]


def open_client(follow_redirects: bool) -> httpx2.Client:
    """Return the client that documents are fetched with."""
    return outgoing_client(
        timeout=TIMEOUT, total=TOTAL, max_bytes=MOST_BYTES, follow_redirects=follow_redirects
    )


@sensitive_variables("header", "url")
def fetch_document(
    *, url: str, header: Mapping[str, str], client: OpenClient = open_client
) -> Fetched:
    """Return what an address answers. Raises ``SourceFailed``.

    A header may be a key, which redirects would carry on: with one, none is followed.
    """
    source = plain_address(url)
    try:
        with client(not header) as opened:
            answer = opened.get(url, headers=dict(header))
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise SourceFailed(str(error) or type(error).__name__) from error
    if answer.is_redirect:
        raise SourceFailed("The address leads to another one. Give that one, or send no header.")
    if not answer.is_success:
        raise SourceFailed(f"The server answered {answer.status_code} {answer.reason_phrase}.")
    return Fetched(content=answer.content, source=source)
