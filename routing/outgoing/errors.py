"""What the guard of outgoing requests raises."""

import httpx2


class OutgoingRefused(httpx2.TransportError):
    """The guard does not let a request go where its URL points; the message says why."""


class ResponseTooLarge(httpx2.TransportError):
    """An answer is longer than its reader takes."""
