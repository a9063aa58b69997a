"""What ``manage.py bench_pages`` measures."""

from itertools import count

import pytest

from catalog.document import check
from catalog.models import Catalog
from dashboard.management.benchmarking.crowd import changed_document, crowded_document
from dashboard.management.benchmarking.crowded import measured_in_crowd
from routing.models import Release, Vector


def test_a_crowd_is_the_same_every_time_and_may_be_published() -> None:
    first = crowded_document(tools=40, groups=6, seed=7)
    assert first == crowded_document(tools=40, groups=6, seed=7)
    assert first != crowded_document(tools=40, groups=6, seed=8)
    for document in (first, changed_document(first)):
        assert check(document) == []
        assert len({str(tool["input_schema"]) for tool in document["tools"]}) == 40


@pytest.mark.django_db
def test_every_kind_of_page_and_two_publishes_are_measured_without_the_encoder() -> None:
    ticks = count()
    found = {
        one.name: one
        for one in measured_in_crowd(
            tools=40, groups=6, rounds=1, only="", clock=lambda: float(next(ticks))
        )
    }

    wanted = {"catalog:tools", "catalog:groups", "catalog:tool", "catalog:rules"}
    wanted |= {"dashboard:health, all new", "dashboard:versions, all changed"}
    wanted |= {"publish, all new", "publish, all changed", "dashboard:version, all changed"}
    assert wanted <= found.keys()
    assert all(one.status == 200 for one in found.values() if "publish" not in one.name)
    assert all(one.first == one.again == 1.0 for one in found.values())
    assert found["catalog:tools"].queries > 0
    assert not any("move" in name.split(":")[-1].split("_") for name in found)  # is only sent to
    assert Release.objects.count() == 2
    assert Catalog.objects.get().versions.count() == 2
    made = Vector.objects.count()
    assert made == len(set(Vector.objects.values_list("sha256", flat=True)))
