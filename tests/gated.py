"""A catalog whose gate blocks, and a check that found what a page has to show."""

from typing import Any

from django.utils import timezone

from catalog.models import Catalog
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.evaluation.cases import case_of
from routing.gate.rules import CASE, TASK, keep_policy, policy_of, rules_of
from routing.gate_checks.reporting import report_of
from routing.gate_checks.rows import Row, Served, written
from routing.models import EvalCase, GateCheck, GatePolicy, GateResults
from routing.moves import current_move
from tests.samples import NOW, published

SPOILED = {"title": "Cake", "description": "Bake a chocolate cake.", "examples": []}
TASKS = [
    "Return how many units of valve 40 each warehouse holds",
    "How many units of the article are on hand and reserved?",
    "Units of pipe 12 that are free or damaged in the warehouse",
    "How many units are on the way from suppliers?",
]
OTHER = [("Find the payment of 40 euros that a customer made", "find_payment")]


def gated_office() -> Catalog:
    """Return a published catalog whose gate blocks, with cases mostly of one tool."""
    catalog = published("back-office", exploration=0, threshold=0, max_tools=3)
    dataset = make_dataset(catalog=catalog, name="march", by=None, now=NOW)
    tasks = [*((task, "get_stock_level") for task in TASKS), *OTHER]
    add_cases(
        dataset,
        [Taken(case_of({"task": t, "expected_tools": [tool]}, where="")) for t, tool in tasks],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
    set_mode(catalog, GatePolicy.Mode.BLOCK)
    return catalog


def set_mode(catalog: Catalog, mode: GatePolicy.Mode, **more: Any) -> None:
    """Set what the gate of a catalog does."""
    policy = policy_of(catalog)
    policy.mode = mode
    for name, value in more.items():
        setattr(policy, name, value)
    keep_policy(policy, datasets=[], by=None, now=NOW)


def edit(catalog: Catalog, **fields: Any) -> None:
    """Change the tool of the draft that the cases need."""
    catalog.tools.filter(name="get_stock_level").update(**fields)


def checked(catalog: Catalog, *, sha256: str = "f" * 64) -> int:
    """Return the id of a finished check, made at the first call."""
    known = GateCheck.objects.filter(catalog=catalog).first()
    if known is not None:
        return int(known.pk)
    live = current_move(catalog)
    assert live is not None
    tools = [tool["name"] for tool in live.release.version.parsed()["tools"]]
    case = EvalCase.objects.filter(dataset__catalog=catalog).first()
    rows = [_row(CASE if number else TASK, case.pk if case else 0, tools) for number in range(6)]
    now = timezone.now()
    one = GateCheck.objects.create(
        catalog=catalog,
        sha256=sha256,
        against=live.release,
        encoder="none",
        asked=rules_of(catalog).asked(),
        asked_at=now,
        finished_at=now,
        drawn=True,
        made=len(rows),
        total=len(rows),
        report=report_of(rows, seed=0)
        | {"asked": 7, "look_alikes": {"known": True, "pairs": [["tools", *tools[:2], 2, 4]]}},
    )
    GateResults.objects.create(check_of=one, start=0, rows=[written(row) for row in rows])
    return int(one.pk)


def _row(kind: str, ref: int, tools: list[str]) -> Row:
    return Row(
        kind=kind,
        ref=ref,
        key=f"{kind}{ref}",
        weight=1.0,
        needs=(tools[0],),
        dropped=(tools[0],),
        gone=(),
        come=(),
        before=Served(there=True, covered=True, right=True, tools=2, tokens=90, first=tools[0]),
        after=Served(
            there=True, covered=False, right=False, tools=1, tokens=50, first=tools[1], missing=(0,)
        ),
    )
