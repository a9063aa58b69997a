"""The one door for requests that this server makes: no URL reaches what only it can reach.

Every outgoing request goes through ``outgoing_client``. It is an ordinary ``httpx2.Client``, which
the SDKs of model providers take as their ``http_client``.
"""

from routing.outgoing.allowed import Allowed, BadEntry
from routing.outgoing.client import outgoing_client, outgoing_transport
from routing.outgoing.errors import OutgoingRefused, ResponseTooLarge
from routing.outgoing.threaded import ThreadedTransport
from routing.outgoing.urls import fault_of_url

__all__ = [
    "Allowed",
    "BadEntry",
    "OutgoingRefused",
    "ResponseTooLarge",
    "ThreadedTransport",
    "fault_of_url",
    "outgoing_client",
    "outgoing_transport",
]
