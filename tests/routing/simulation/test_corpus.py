"""The written tasks: they fit the sample catalogs, and nobody else wrote them."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catalog.samples import SAMPLES, load_sample
from routing.simulation.slots import Filling
from routing.simulation.templates import Step, Template, load_reasons, load_templates

CASES = Path(__file__).parents[2] / "cases"
PLANTED_UNUSED = "record_payment"
TEMPLATES = load_templates()
# In Spanish and Portuguese, where a slot brings its own article.
NOT_CONTRACTED = re.compile(r"\b(?:de el|a el|de o|em o|em a) ")
DOCUMENTS = {name: load_sample(name) for name in SAMPLES}


def steps_of(template: Template) -> Iterator[Step]:
    for path in template.paths:
        yield from path


def test_each_sample_has_tasks_in_three_languages() -> None:
    assert {(t.catalog, t.language) for t in TEMPLATES} == {
        (catalog, language) for catalog in SAMPLES for language in ("en", "es", "pt")
    }


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_back_office_has_many_tasks_of_every_kind(language: str) -> None:
    own = [t for t in TEMPLATES if (t.catalog, t.language) == ("back-office", language)]
    assert len(own) >= 75
    assert sum(t.vague for t in own) >= 7
    assert sum(t.off_topic for t in own) >= 3
    assert sum(len(groups_needed(t)) > 1 for t in own) >= 10


def groups_needed(template: Template) -> set[str]:
    groups = DOCUMENTS[template.catalog]["groups"]
    needed = {tool for step in steps_of(template) for tool in step.tools}
    return {group["name"] for group in groups if needed & set(group["tools"])}


def test_names_are_given_once() -> None:
    assert Counter(t.name for t in TEMPLATES).most_common(1)[0][1] == 1
    assert len({t.text for t in TEMPLATES}) == len(TEMPLATES)


@pytest.mark.parametrize("catalog", SAMPLES)
def test_templates_fit_their_catalog(catalog: str) -> None:
    for template in TEMPLATES:
        if template.catalog == catalog:
            assert_fits(template)


def assert_fits(template: Template) -> None:
    document = DOCUMENTS[template.catalog]
    tools = {tool["name"] for tool in document["tools"]}
    phases = {phase["name"]: phase["next"] for phase in document["phases"]}
    for path in template.paths:
        assert path
        for step in path:
            assert set(step.tools) <= tools
            assert (step.phase in phases) if phases else step.phase is None
        for before, after in pairwise(path):
            # Without a note an agent would select again with nothing new to say.
            assert before.note
            assert not phases or after.phase in {*phases[before.phase or ""], before.phase}
    routes = {route["name"] for route in document["routes"]}
    assert (template.route in routes) if routes else template.route is None


@pytest.mark.parametrize("seed", range(12))
def test_every_template_s_slots_fill(seed: int) -> None:
    when = datetime(2026, 1 + seed, 28, tzinfo=UTC)
    for template in TEMPLATES:
        filling = Filling(language=template.language, when=when, random=Random(seed))
        words = [filling.fill(template.text)]
        words += [filling.fill(step.note) for step in steps_of(template) if step.note]
        for text in words:
            assert not set("{}") & set(text)
            assert "  " not in text
            assert not NOT_CONTRACTED.search(text), text


def test_a_slot_has_one_value_in_a_task_and_its_notes() -> None:
    filling = Filling(language="en", when=datetime(2026, 5, 4, tzinfo=UTC), random=Random(3))
    assert filling.fill("{order} {customer}") == filling.fill("{order} {customer}")


def test_a_slot_that_nothing_fills_is_an_error() -> None:
    filling = Filling(language="en", when=datetime(2026, 5, 4, tzinfo=UTC), random=Random(3))
    with pytest.raises(KeyError):
        filling.fill("{no_such_slot}")


def test_channels_are_those_of_the_catalog_or_have_no_rule_on_purpose() -> None:
    for template in TEMPLATES:
        if template.channel is not None:
            rules = DOCUMENTS[template.catalog]["channel_rules"]
            known = {(rule["kind"], rule["value"]) for rule in rules}
            assert template.channel in known | {("channel", "customer-portal")}


def test_no_task_is_copied_from_the_catalogs_or_the_golden_cases() -> None:
    taken = {folded(text) for text in strings_of([*DOCUMENTS.values(), *golden_cases()])}
    assert len(taken) > 500
    assert not {folded(t.text) for t in TEMPLATES} & taken


def golden_cases() -> list[Any]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in CASES.glob("*.json")]


def strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings_of(part)


def folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?¿¡")


def test_an_agent_has_a_reason_for_every_tool_that_it_may_ask_for() -> None:
    for template in TEMPLATES:
        for step in steps_of(template):
            for tool in set(step.tools) - set(DOCUMENTS[template.catalog]["always_on"]):
                why = load_reasons().why(
                    catalog=template.catalog, language=template.language, tools=(tool, tool)
                )
                assert len(why.split()) > 6


# -- The stories that are planted -----------------------------------------------------------------


def test_logistics_tasks_often_need_stock_as_well() -> None:
    weights: Counter[bool] = Counter()
    for template in TEMPLATES:
        first = template.paths[0][0]
        if template.catalog == "back-office" and not template.vague and "x-" not in template.name:
            needed = groups_of(first)
            if "logistics" in needed:
                weights["stock" in needed] += int(template.weight)
    assert 0.3 < weights[True] / weights.total() < 0.6


def groups_of(step: Step) -> set[str]:
    groups = DOCUMENTS["back-office"]["groups"]
    return {group["name"] for group in groups if set(step.tools) & set(group["tools"])}


def test_one_tool_is_offered_and_never_needed() -> None:
    needed = {
        tool
        for template in TEMPLATES
        if template.catalog == "back-office"
        for step in steps_of(template)
        for tool in step.tools
    }
    groups = {tool for group in DOCUMENTS["back-office"]["groups"] for tool in group["tools"]}
    assert groups - needed == {PLANTED_UNUSED, "get_commission_statement"} - needed


def test_vague_tasks_of_a_new_kind_come_in_the_second_half_only() -> None:
    for language in ("en", "es", "pt"):
        own = [t for t in TEMPLATES if (t.catalog, t.language) == ("back-office", language)]
        late = [t for t in own if t.from_half]
        assert late
        assert all(t.vague for t in late)
        share = sum(t.weight for t in late) / sum(t.weight for t in own)
        assert 0.15 < share < 0.3
