"""The list of catalogs, a new one, and the settings of one."""

import pytest
from django.test import Client

from catalog.models import Catalog
from tests.drafts import draft_of

pytestmark = pytest.mark.django_db


def test_a_catalog_is_made_and_its_tools_come_next(signed_in: Client) -> None:
    response = signed_in.post("/start", {"name": "help-desk", "title": "Help desk"})

    assert response["Location"] == "/catalogs/help-desk/start"
    made = Catalog.objects.get()
    assert (made.name, made.title, made.strategy) == ("help-desk", "Help desk", "auto")


@pytest.mark.parametrize("name", ["", "Help Desk", "help_desk", "-", "a" * 64, "back-office"])
def test_a_bad_name_is_refused_beside_its_field(signed_in: Client, name: str) -> None:
    draft_of("back-office")
    response = signed_in.post("/start", {"name": name, "title": "Mine"})

    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {"name"}
    assert 'value="Mine"' in response.text
    assert Catalog.objects.count() == 1


def test_settings_are_saved_in_the_draft(signed_in: Client) -> None:
    draft_of("back-office")
    form = signed_in.get("/catalogs/back-office/settings").context["form"]
    response = signed_in.post(
        "/catalogs/back-office/settings", form.initial | {"threshold": "0.7", "max_tools": "5"}
    )

    assert response.status_code == 302
    catalog = Catalog.objects.get()
    assert (catalog.threshold, catalog.max_tools, catalog.strategy) == (0.7, 5, "auto")


@pytest.mark.parametrize(
    ("field", "value"),
    [("threshold", "1.1"), ("threshold", "nan"), ("max_tools", "0"), ("strategy", "magic")],
)
def test_settings_out_of_range_are_refused(signed_in: Client, field: str, value: str) -> None:
    draft_of("back-office")
    form = signed_in.get("/catalogs/back-office/settings").context["form"]
    response = signed_in.post("/catalogs/back-office/settings", form.initial | {field: value})

    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {field}


def test_every_catalog_is_listed_with_a_fixed_number_of_queries(
    signed_in: Client, django_assert_num_queries: object
) -> None:
    draft_of("back-office")
    assert "34" in signed_in.get("/catalogs/").text
    Catalog.objects.bulk_create(
        Catalog(name=f"catalog-{number}", title="x") for number in range(30)
    )
    with django_assert_num_queries(5):  # type: ignore[operator]
        assert "catalog-29" in signed_in.get("/catalogs/").text
