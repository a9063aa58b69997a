"""Big publishes, asked for and done as the worker does them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from routing import jobs
from routing.models import Preparation
from routing.moves import current_move
from routing.preparing import carry_out, publish_or_prepare
from routing.releases import Published
from tests.samples import NOW

LATER = NOW + timedelta(hours=1)


def ask(catalog: Catalog, *, by: User | None = None, **more: Any) -> Published | Preparation:
    live = current_move(catalog)
    return publish_or_prepare(
        **{
            "catalog": catalog,
            "author": by,
            "now": NOW,
            "note": "Many new tools",
            "base": live.pk if live else None,
            "reviewed_sha256": freeze_and_check(catalog).sha256,
            "start": jobs.PREPARATIONS.start,
            **more,
        }
    )


def prepared(catalog: Catalog, **more: Any) -> Preparation:
    asked = ask(catalog, **more)
    assert isinstance(asked, Preparation)
    return asked


def work(one: Preparation, *, stop_after: int | None = None) -> Preparation:
    """Do a preparation as the worker does it."""
    asked = 0

    def stopping() -> bool:
        nonlocal asked
        asked += 1
        return stop_after is not None and asked >= stop_after

    carry_out(one, clock=lambda: LATER, stopping=stopping)
    one.refresh_from_db()
    return one


def live_move(catalog: Catalog) -> Any:
    move = current_move(catalog)
    assert move is not None
    return move
