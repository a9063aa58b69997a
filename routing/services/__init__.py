"""What an agent asks for: each function is one request, one answer and one write transaction."""

from routing.services.erasing import erase_text
from routing.services.expanding import expand_group
from routing.services.reselecting import NoTask, Reselection, enter_phase, reselect
from routing.services.running import (
    MayNotTest,
    RunExists,
    UnknownCase,
    record_outcome,
    start_run,
)
from routing.services.selecting import SelectionRequest, select_tools

__all__ = [
    "MayNotTest",
    "NoTask",
    "Reselection",
    "RunExists",
    "SelectionRequest",
    "UnknownCase",
    "enter_phase",
    "erase_text",
    "expand_group",
    "record_outcome",
    "reselect",
    "select_tools",
    "start_run",
]
