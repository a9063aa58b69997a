"""Look-alikes of drafts: at once, by the worker, and as far as they still hold after an edit."""

import threading
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.utils import timezone

from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from routing import jobs, look_alikes
from routing.background import MOST_ATTEMPTS
from routing.draft_health import draft_findings, warnings_to_explain
from routing.look_alike_findings import CODE
from routing.look_alikes import known_look_alikes, search
from routing.models import LookAlikeSearch, Vector
from routing.moves import current_move
from routing.working import take_up
from tests.drafts import draft_of
from tests.samples import NOW, published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    look_alikes._found.clear()
    look_alikes._holding.clear()


def found(catalog: Catalog) -> Any:
    frozen = freeze_and_check(catalog)
    return known_look_alikes(sha256=frozen.sha256, value=frozen.value)


def ask(catalog: Catalog) -> LookAlikeSearch:
    one = search(
        catalog=catalog,
        frozen=freeze_and_check(catalog),
        by=None,
        now=NOW,
        start=jobs.SEARCHES.start,
    )
    assert one
    return one


def test_a_small_draft_whose_vectors_are_there_is_searched_at_once() -> None:
    catalog = published("dev-agent")
    known = found(catalog)
    assert known.exact
    assert [pair.names for pair in known.pairs] == [("read_file", "write_file")]

    warned = [one for one in draft_findings(freeze_and_check(catalog)) if one.code == CODE]
    assert [(one.place, one.reason.params["other"]) for one in warned] == [
        (("tools", "read_file"), "write_file")
    ]
    assert warned[0].reason.params["tasks"]
    with patch.object(look_alikes, "look_alikes", side_effect=AssertionError):
        assert found(catalog).pairs is known.pairs


def test_without_an_encoder_there_are_none(settings: Any) -> None:
    catalog = published("dev-agent")
    settings.ENCODER = "none"
    assert found(catalog).pairs == ()
    assert (
        search(
            catalog=catalog,
            frozen=freeze_and_check(catalog),
            by=None,
            now=NOW,
            start=jobs.SEARCHES.start,
        )
        is None
    )


def test_a_search_that_takes_longer_is_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_alikes, "MOST_PARTS", 3)
    catalog = published("dev-agent")
    assert not found(catalog).exact

    one = ask(catalog)
    assert one.finished_at is None
    assert ask(catalog) == one  # it is open already
    jobs.search_look_alikes.call(one.pk)
    one.refresh_from_db()
    assert (one.problem, one.made) == ("", one.total)
    known = found(catalog)
    assert (known.exact, known.of) == (True, one)
    assert [pair.names for pair in known.pairs] == [("read_file", "write_file")]
    assert ask(catalog) == one  # the draft is as it was

    # Of an edited draft those pairs are told that nobody touched.
    catalog.tools.filter(name="calculator").update(description="Adds.")
    known = found(catalog)
    assert (known.exact, len(known.pairs)) == (False, 1)
    catalog.tools.filter(name="read_file").update(description="Shows what is in a file.")
    assert found(catalog).pairs == ()


def test_what_is_live_has_it_too_and_no_reason_is_asked_for() -> None:
    catalog = published("dev-agent")
    catalog.tools.filter(name="calculator").update(title="Sum")
    frozen = freeze_and_check(catalog)
    assert any(one.code == CODE for one in draft_findings(frozen))
    assert warnings_to_explain(frozen=frozen, live=current_move(catalog)) == []


def test_a_stopped_search_goes_on_and_one_that_kills_workers_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(look_alikes, "MOST_PARTS", 3)
    one = ask(published("back-office"))
    task = one.task
    monkeypatch.setattr(jobs, "stopping", threading.Event())
    jobs.stopping.set()
    jobs.search_look_alikes.call(one.pk)
    one.refresh_from_db()
    assert (one.finished_at, one.attempts) == (None, 0)
    assert one.task != task
    assert 0 < one.made < one.total

    one.task, one.attempts = "gone", MOST_ATTEMPTS
    one.save()
    take_up(now=timezone.now())
    one.refresh_from_db()
    assert one.problem == LookAlikeSearch.Problem.CRASHED


def test_the_command_searches_however_long_it_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(look_alikes, "MOST_MADE", 0)
    draft_of("dev-agent")
    Vector.objects.all().delete()
    call_command("check_catalog", "dev-agent")
    assert "tools read_file: A task could not tell it from “write_file”" in capsys.readouterr().out
