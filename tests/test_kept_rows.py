"""What tests put back is what was written."""

from typing import Any

import pytest
from django.apps import apps
from django.db import transaction

from tests.samples import published


def every_row() -> dict[str, list[dict[str, Any]]]:
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models(include_auto_created=True)
    }


@pytest.mark.django_db
def test_what_is_put_back_is_what_was_written() -> None:
    written = []
    for _ in range(2):
        with transaction.atomic():
            published("refunds", exploration=0.125)
            written.append(every_row())
            transaction.set_rollback(True)

    assert written[0]["catalog.Tool"]
    # Random numbers are among them, so that nothing was made a second time.
    assert written[0] == written[1]


@pytest.mark.django_db
def test_nothing_is_put_back_where_something_is_already() -> None:
    first, second = published("refunds"), published("dev-agent")
    assert first.pk != second.pk
    assert first.tools.exists()
    assert {tool.catalog_id for tool in second.tools.all()} == {second.pk}
