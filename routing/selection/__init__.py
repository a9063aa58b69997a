"""The pure selection core: ``select(query, index, circumstances)``.

It imports no Django, does no I/O and reads no clock.
"""

from routing.selection.compiling import compile_index
from routing.selection.encoders import Encoder, UnknownEncoder, load_encoder
from routing.selection.index import (
    GroupNotAllowed,
    IllegalTransition,
    Index,
    UnknownGroup,
    UnknownPhase,
    UnknownRoute,
)
from routing.selection.model_answer import ModelAnswer
from routing.selection.pipeline import expand, select
from routing.selection.rules import BadPattern, compile_pattern
from routing.selection.texts import content_hash, texts_to_embed
from routing.selection.types import (
    CAPABILITY_OFF,
    ROUTE_OFF,
    Channel,
    Circumstances,
    ConfidenceSource,
    Fallback,
    Included,
    Omitted,
    Query,
    ScoredGroup,
    Selection,
    Strategy,
    Why,
    WhyNot,
)

__all__ = [
    "CAPABILITY_OFF",
    "ROUTE_OFF",
    "BadPattern",
    "Channel",
    "Circumstances",
    "ConfidenceSource",
    "Encoder",
    "Fallback",
    "GroupNotAllowed",
    "IllegalTransition",
    "Included",
    "Index",
    "ModelAnswer",
    "Omitted",
    "Query",
    "ScoredGroup",
    "Selection",
    "Strategy",
    "UnknownEncoder",
    "UnknownGroup",
    "UnknownPhase",
    "UnknownRoute",
    "Why",
    "WhyNot",
    "compile_index",
    "compile_pattern",
    "content_hash",
    "expand",
    "load_encoder",
    "select",
    "texts_to_embed",
]
