"""What stops a publish leads to the page where it is mended, each kind of it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from catalog.document import Problem
from catalog.document.checks import CHECKS
from catalog.models import Catalog, Phase, Tool
from dashboard.reviews import mendings, review_draft
from tests.drafts import draft_of, empty_catalog


def _default(catalog: Catalog) -> str:
    catalog.tools.filter(name="issue_refund").update(is_default=True)
    return "fallback_with_side_effect /catalogs/refunds/tools/issue_refund"


def _always_on(catalog: Catalog) -> str:
    catalog.tools.filter(name="issue_refund").update(always_on=True)
    return "fallback_with_side_effect /catalogs/refunds/tools/issue_refund"


def _phase(catalog: Catalog) -> str:
    phase = Phase.objects.create(catalog=catalog, name="paying")
    phase.tools.add(catalog.tools.get(name="issue_refund"))
    return "phase_without_read_tool /catalogs/refunds/phases/paying"


def _route(catalog: Catalog) -> str:
    catalog.tools.update(is_default=False)
    return "route_without_default /catalogs/refunds/routes/order_status"


def _dangling(catalog: Catalog) -> str:
    # A reference to what another catalog has: no page makes one, a shell may.
    other = Tool.objects.create(catalog=empty_catalog(), name="of_another_catalog")
    catalog.routes.get(name="order_status").tools.add(other)
    return "unknown_name /catalogs/refunds/routes/order_status"


def _dangling_in_a_rule(catalog: Catalog) -> str:
    other = Tool.objects.create(catalog=empty_catalog(), name="of_another_catalog")
    catalog.intentrules.create(phrases=["refund"]).tools.add(other)
    return "unknown_name /catalogs/refunds/rules?kind=intent&page=1"


def _schema(catalog: Catalog) -> str:
    catalog.tools.filter(name="read_order").update(input_schema={"type": "nothing"})
    return "invalid_schema /catalogs/refunds/tools/read_order"


def _no_object(catalog: Catalog) -> str:
    catalog.tools.filter(name="read_order").update(input_schema={"type": "array"})
    return "input_is_no_object /catalogs/refunds/tools/read_order"


def _pattern(catalog: Catalog) -> str:
    catalog.keywordrules.create(pattern="(")
    return "invalid_pattern /catalogs/refunds/rules?kind=keyword&page=1"


def _colliding(catalog: Catalog) -> str:
    tool = catalog.tools.get(name="read_order")
    tool.pk, tool.name, tool._state.adding = None, "Read_Order", True
    tool.save()
    return "colliding_names /catalogs/refunds/tools/Read_Order"


SPOILT: tuple[Callable[[Catalog], str], ...] = (
    _default,
    _always_on,
    _phase,
    _route,
    _dangling,
    _dangling_in_a_rule,
    _schema,
    _no_object,
    _pattern,
    _colliding,
)


@pytest.mark.parametrize("spoil", SPOILT)
def test_it_is_refused_with_a_link_to_where_it_is_mended(
    signed_in: Client, spoil: Callable[[Catalog], str]
) -> None:
    expected = spoil(draft_of("refunds"))
    catalog = Catalog.objects.get(name="refunds")
    found = {f"{one.problem.code} {one.url}": one for one in review_draft(catalog).problems}
    assert expected in found
    url = found[expected].url

    page = signed_in.get("/catalogs/refunds/versions").text
    assert f'href="{url.replace("&", "&amp;")}"' in page
    assert signed_in.get(url).status_code == 200
    form: dict[str, Any] = {"reviewed": review_draft(catalog).frozen.sha256, "note": "All the same"}
    assert signed_in.post("/catalogs/refunds/versions", form).status_code == 422
    assert not catalog.versions.exists()


def test_a_reserved_name_leads_to_its_tool() -> None:
    # The database takes no such draft; a document from elsewhere may have it.
    place = ("tools", "request_group")
    [mending] = mendings(Catalog(name="refunds"), [Problem("reserved_name", place, "")])
    assert mending.url == "/catalogs/refunds/tools/request_group"


def test_every_check_is_spoilt_here() -> None:
    assert len(CHECKS) == 6, "a new check of a document wants its line above"
