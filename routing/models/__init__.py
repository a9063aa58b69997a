"""What was released, who may ask, and what was answered."""

from routing.models.key import ApiKey
from routing.models.preparation import Preparation, WorkerBeat
from routing.models.release import LabelMove, Release
from routing.models.run import Run
from routing.models.span import Span, Text
from routing.models.vector import Vector

__all__ = [
    "ApiKey",
    "LabelMove",
    "Preparation",
    "Release",
    "Run",
    "Span",
    "Text",
    "Vector",
    "WorkerBeat",
]
