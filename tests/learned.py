"""A published catalog with reviewed cases to learn from, and one that has learned from them."""

from typing import Any

from django.utils import timezone

from catalog.drafting import fill_draft
from catalog.models import Catalog
from catalog.samples import load_sample
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.learned import asking, fitting
from routing.models import EvalCase, Fit
from routing.releases import publish
from tests.kept_rows import once
from tests.routing.learning.labelled import cases, catalog
from tests.samples import NOW

TOOLS = 8


def document() -> dict[str, Any]:
    """Return a draft's document of tools of which the descriptions say little."""
    sample = load_sample("back-office")
    bare = catalog(TOOLS)
    named: dict[str, Any] = {
        "aliases": [],
        "examples": [],
        "scopes": [],
        "trace_fields": [],
        "input_schema": {"type": "object", "properties": {}},
        "output_schema": None,
        "side_effect": "read",
    }
    tools = [
        {**sample["tools"][0], **named, "name": tool["name"], "title": tool["name"]}
        | {"description": tool["description"]}
        for tool in bare["tools"]
    ]
    empty = ("default_tools", "always_on", "phases", "keyword_rules", "intent_rules")
    nothing: dict[str, Any] = {part: [] for part in (*empty, "channel_rules", "routes")}
    settings = {**sample["settings"], "max_tools": 3, "initial_phase": None}
    return {**sample, "tools": tools, "groups": bare["groups"], "settings": settings, **nothing}


def with_cases() -> Catalog:
    """Return a live catalog with a dataset of accepted cases."""
    once("with cases", _with_cases)
    return Catalog.objects.get(name="words")


def after_learning() -> Catalog:
    """Return the same, when it has learned from them."""
    once("after learning", lambda: learn(with_cases()))
    return Catalog.objects.get(name="words")


def fitted(catalog: Catalog) -> dict[str, object]:
    """Return the values that paths of learning take, of a fit that is made at the first call."""
    one = Fit.objects.filter(catalog=catalog).first() or learn(catalog)
    return {"fit": one.number, "release": 1}


def learn(catalog: Catalog) -> Fit:
    """Have a catalog learn from what it has, and return how that ended."""
    one = asking.ask(catalog=catalog, datasets=[], by=None, now=NOW)
    fitting.carry_out(one, clock=timezone.now, stopping=lambda: False)
    one.refresh_from_db()
    return one


def _with_cases() -> None:
    made = Catalog(name="words")
    fill_draft(catalog=made, document=document())
    publish(catalog=made, author=None, now=NOW, note="First version", base=None)
    add_cases(
        make_dataset(catalog=made, name="reviewed", by=None, now=NOW),
        [Taken(one) for one in cases(range(TOOLS), 14, seed=1)],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
