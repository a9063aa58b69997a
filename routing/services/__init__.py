"""What an agent asks for: each function is one request, one answer and one write transaction."""

from routing.services.expanding import expand_group
from routing.services.running import RunExists, record_outcome, start_run
from routing.services.selecting import SelectionRequest, select_tools

__all__ = [
    "RunExists",
    "SelectionRequest",
    "expand_group",
    "record_outcome",
    "select_tools",
    "start_run",
]
