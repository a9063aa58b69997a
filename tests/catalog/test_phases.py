"""Phases: a table, a drawing, and the form of each."""

from typing import Any

import pytest
from django.test import Client

from catalog.freezing import freeze
from catalog.models import Catalog
from catalog.phasing import phase_table
from catalog.state_drawing import BOX_HEIGHT, BOX_WIDTH, draw
from tests.drafts import draft_of, empty_catalog

LIST = "/catalogs/dev-agent/phases"
PAGE = f"{LIST}/testing"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of("dev-agent")


def sent(catalog: Catalog, name: str = "testing", **changed: Any) -> dict[str, Any]:
    phase = catalog.phases.get(name=name)
    form = {
        "name": phase.name,
        "description": phase.description,
        "next": list(phase.next.values_list("pk", flat=True)),
        "groups": list(phase.groups.values_list("pk", flat=True)),
        "tools": list(phase.tools.values_list("pk", flat=True)),
        **changed,
    }
    return form | ({"initial": "on"} if phase.initial else {})


def test_the_table_and_the_drawing_say_the_same(signed_in: Client, catalog: Catalog) -> None:
    page = signed_in.get(LIST)
    document = {phase["name"]: phase["next"] for phase in freeze(catalog)["phases"]}
    assert {line.phase.name: line.following for line in page.context["lines"]} == document
    drawing = page.context["drawing"]
    assert {box.name for box in drawing.boxes} == set(document)
    assert len(drawing.arrows) == sum(map(len, document.values()))
    text = page.content.decode()
    assert text.count('class="states-arrow"') == len(drawing.arrows)
    assert "style=" not in text.split('<svg class="states"')[1].split("</svg>")[0]


def test_the_table_names_the_tools_of_each_phase_in_catalog_order(
    signed_in: Client, catalog: Catalog
) -> None:
    group = catalog.groups.create(name="extra")
    group.tools.add(*catalog.tools.all()[:1], catalog.tools.get(name="run_tests"))
    catalog.phases.get(name="testing").groups.add(group)
    document = freeze(catalog)
    own = {phase["name"]: set(phase["tools"]) for phase in document["phases"]}
    own["testing"] |= set(group.tools.values_list("name", flat=True))
    order = [tool["name"] for tool in document["tools"]]
    for line in phase_table(catalog):
        assert line.tools == [name for name in order if name in own[line.phase.name]]
    assert "/tools/run_tests" in signed_in.get(LIST).content.decode()


def test_boxes_do_not_overlap_and_stay_inside() -> None:
    states = {"a": ["b", "c", "a"], "b": ["d"], "c": ["a", "d"], "d": [], "loose": ["d"]}
    drawing = draw(states, initial="a")
    places = {(box.x, box.y) for box in drawing.boxes}
    assert len(places) == len(states)
    assert all(
        x + BOX_WIDTH <= drawing.width and y + BOX_HEIGHT <= drawing.height for x, y in places
    )
    assert [box.name for box in drawing.boxes] == ["a", "b", "c", "d", "loose"]
    assert len(drawing.arrows) == 7
    assert draw({}, initial=None).boxes == []


def test_a_phase_is_renamed_and_leads_elsewhere(signed_in: Client, catalog: Catalog) -> None:
    planning = catalog.phases.get(name="planning")
    form = sent(catalog)
    form |= {"name": "checking", "next": [planning.pk]}
    assert signed_in.post(PAGE, form)["Location"] == LIST
    phases = {phase["name"]: phase for phase in freeze(catalog)["phases"]}
    assert phases["checking"]["next"] == ["planning"]
    assert "testing" not in phases
    leading = [phase for phase in phases.values() if "checking" in phase["next"]]
    assert leading  # what led to it by its old name leads to it still


def test_a_run_begins_in_one_phase(signed_in: Client, catalog: Catalog) -> None:
    assert signed_in.post(PAGE, {**sent(catalog), "initial": "on"}).status_code == 302
    assert [p.name for p in catalog.phases.filter(initial=True)] == ["testing"]
    planning = sent(catalog, "planning")
    assert signed_in.post(f"{LIST}/planning", {**planning, "initial": "on"}).status_code == 302
    assert freeze(catalog)["settings"]["initial_phase"] == "planning"


def test_a_beginning_that_somebody_moved_is_not_taken_back(
    signed_in: Client, catalog: Catalog
) -> None:
    catalog.phases.update(initial=False)
    catalog.phases.filter(name="testing").update(initial=True)
    seen = signed_in.get(PAGE).context["form"]["seen"].value()
    form = sent(catalog) | {"seen": seen, "description": "mine"}
    catalog.phases.update(initial=False)
    catalog.phases.filter(name="planning").update(initial=True)
    answer = signed_in.post(PAGE, form)
    assert answer.status_code == 409
    assert "A run begins here" in answer.content.decode().split('id="overtaken"')[1]
    assert answer.context["form"]["initial"].value() is False
    assert answer.context["form"]["description"].value() == "mine"


def test_a_phase_that_only_writes_is_warned_of(signed_in: Client, catalog: Catalog) -> None:
    assert not any(line.lacks_reading for line in phase_table(catalog))
    catalog.tools.update(side_effect="write", is_default=False, always_on=False)
    assert any(line.lacks_reading for line in phase_table(catalog))
    assert "publishing will be refused" in signed_in.get(LIST).content.decode()


def test_a_phase_that_nothing_leads_to_is_told_of(signed_in: Client, catalog: Catalog) -> None:
    catalog.phases.update(initial=False)
    catalog.phases.filter(name="planning").update(initial=True)
    assert not any(line.unreachable for line in phase_table(catalog))
    catalog.phases.create(name="island")
    assert [line.phase.name for line in phase_table(catalog) if line.unreachable] == ["island"]


def test_adding_moving_and_deleting(signed_in: Client, catalog: Catalog) -> None:
    before = [phase.name for phase in catalog.phases.all()]
    assert signed_in.post(f"{LIST}/-/new", {"name": "review"})["Location"] == LIST
    assert signed_in.post(f"{LIST}/-/new", {"name": "review"}).status_code == 422
    signed_in.post(f"{LIST}/review/move", {"to": "up"})
    assert [phase.name for phase in catalog.phases.all()] == [*before[:-1], "review", before[-1]]
    assert signed_in.get(f"{LIST}/review/delete").status_code == 200
    signed_in.post(f"{LIST}/review/delete")
    assert [phase.name for phase in catalog.phases.all()] == before


def test_the_first_phase_is_suggested(signed_in: Client, db: None) -> None:
    empty_catalog()
    assert "No phase yet" in signed_in.get("/catalogs/empty/phases").content.decode()


def test_an_id_that_no_column_holds_is_no_phase(signed_in: Client, catalog: Catalog) -> None:
    answer = signed_in.post(PAGE, sent(catalog, next=["9" * 23]))
    assert answer.status_code == 422
    assert "next" in answer.context["form"].errors


@pytest.mark.parametrize("seen", ["[" * 5000, '{"description": "\\ud800"}', "[1]"])
def test_a_form_that_carries_nonsense_is_as_one_that_carries_nothing(
    signed_in: Client, catalog: Catalog, seen: str
) -> None:
    form = sent(catalog) | {"seen": seen, "description": "mine"}
    assert signed_in.post(PAGE, form).status_code == 302
    assert catalog.phases.get(name="testing").description == "mine"
