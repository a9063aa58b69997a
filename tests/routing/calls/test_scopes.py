"""A key of every scope."""

from collections.abc import Callable

import pytest

from catalog.models import Catalog
from tests.routing.calls.conftest import Caller
from tests.routing.conftest import Agent


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scopes", "reason"),
    [(["*"], "needs_approval"), (["**"], "missing_scope"), ([], "missing_scope")],
)
def test_a_star_stands_for_every_scope(
    make_agent: Callable[..., Agent], desk: Catalog, scopes: list[str], reason: str
) -> None:
    caller = Caller(make_agent("refunder", scopes=scopes))

    assert caller.refund().json()["reason"] == reason
