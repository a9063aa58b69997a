"""What was released, who may ask, and what was answered."""

from routing.models.call import Approval, ToolCall, Webhook
from routing.models.circuit import Circuit
from routing.models.eval_data import EvalCase, EvalDataset
from routing.models.eval_work import EvalCollection, EvalResults, EvalRun
from routing.models.gate import GateCheck, GatePolicy, GateResults
from routing.models.key import ApiKey, RateWindow
from routing.models.learned import Fit, FittedModel, LearningSetting
from routing.models.look_alikes import LookAlikeSearch
from routing.models.preparation import Preparation, WorkerBeat
from routing.models.release import Label, LabelMove, Release
from routing.models.rollup import CountedUpTo, DailyCount, HourlyCount, TotalCount, WeeklyCount
from routing.models.run import Run
from routing.models.span import Span, Text
from routing.models.span_days import KeptSince, SpanDay
from routing.models.texts import TextAge, TextSweep
from routing.models.vector import Vector

__all__ = [
    "ApiKey",
    "Approval",
    "Circuit",
    "CountedUpTo",
    "DailyCount",
    "EvalCase",
    "EvalCollection",
    "EvalDataset",
    "EvalResults",
    "EvalRun",
    "Fit",
    "FittedModel",
    "GateCheck",
    "GatePolicy",
    "GateResults",
    "HourlyCount",
    "KeptSince",
    "Label",
    "LabelMove",
    "LearningSetting",
    "LookAlikeSearch",
    "Preparation",
    "RateWindow",
    "Release",
    "Run",
    "Span",
    "SpanDay",
    "Text",
    "TextAge",
    "TextSweep",
    "ToolCall",
    "TotalCount",
    "Vector",
    "Webhook",
    "WeeklyCount",
    "WorkerBeat",
]
