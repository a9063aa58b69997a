"""Pages of learning: what is live, what it would need, and what a fit says."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from routing.datasets import asking as evaluations
from routing.datasets import evaluating
from routing.datasets.asking import Setting
from routing.learned import asking, fitting
from routing.models import EvalCase, Fit, LearningSetting, Release
from routing.moves import current_move
from tests.learned import after_learning, with_cases
from tests.members import client_of, member

pytestmark = pytest.mark.django_db


def at(name: str, **values: Any) -> str:
    return reverse(f"dashboard:{name}", kwargs={"catalog": "words", **values})


def publisher(of: Catalog) -> Client:
    return client_of(member(of, Role.PUBLISHER))


def test_without_cases_it_says_what_it_needs() -> None:
    of = with_cases()
    EvalCase.objects.update(state=EvalCase.State.DROPPED)
    client = publisher(of)

    page = client.get(at("learning")).content.decode()
    assert "There is no accepted case yet." in page
    assert at("start_fit") not in page

    few = EvalCase.objects.values("pk")[:5]
    EvalCase.objects.filter(pk__in=few).update(state=EvalCase.State.ACCEPTED)
    page = client.get(at("learning")).content.decode()
    assert "15 more accepted cases are needed" in page


def test_it_is_asked_to_learn_and_followed_and_says_what_it_took_and_why() -> None:
    of = with_cases()
    client = publisher(of)
    assert "the shipped mapping" in client.get(at("learning")).content.decode()

    asked = client.post(at("start_fit"))
    assert asked["Location"] == at("fit", fit=1)
    # Who asks again is led to what is under way.
    assert client.post(at("start_fit"))["Location"] == at("fit", fit=1)
    waiting = client.get(at("fit", fit=1)).content.decode()
    assert "It gathers the cases." in waiting
    assert "The background worker is not running" in waiting

    fitting.carry_out(Fit.objects.get(), clock=timezone.now, stopping=lambda: False)

    ended = client.get(at("fit", fit=1)).content.decode()
    assert "by more than chance." in ended
    assert "release 2, of version 1" in ended
    assert "Reliability of confidence, before and after" in ended
    page = client.get(at("learning")).content.decode()
    assert "knows 8 tools, of 8 that it learned" in page
    assert "Roll back to release 1" in page


def test_one_click_rolls_back_from_where_the_person_saw_it() -> None:
    of = after_learning()
    client, move = publisher(of), current_move(of)
    assert move is not None

    for stale in (move.pk - 1, "9" * 5000):
        client.post(at("unlearn", release=1), {"base": stale})
    assert current_move(of) == move

    client.post(at("unlearn", release=1), {"base": move.pk})
    now = current_move(of)
    assert now is not None
    assert now.release == Release.objects.get(number=1)
    assert "the shipped mapping" in client.get(at("learning")).content.decode()


def test_an_evaluation_says_that_it_asked_what_was_learned_from() -> None:
    of = after_learning()
    move = current_move(of)
    assert move is not None
    EvalCase.objects.filter(number__gt=20).update(state=EvalCase.State.DROPPED)
    one = evaluations.ask(
        dataset=of.eval_datasets.get(),
        subject=move.release,
        setting=Setting(),
        by=None,
        now=timezone.now(),
    )
    evaluating.carry_out(one, clock=timezone.now, stopping=lambda: False)

    page = publisher(of).get(at("eval_run", eval=1)).content.decode()
    assert "it looks better here than it is" in page
    assert at("fit", fit=1) in page


def test_the_setting_is_kept_and_a_fit_is_cancelled() -> None:
    of = with_cases()
    client = publisher(of)

    client.post(at("set_learning"), {"datasets": ["reviewed"], "on_publish": "on"})
    setting = LearningSetting.objects.get(catalog=of)
    assert (setting.datasets, setting.on_publish) == (["reviewed"], True)
    assert client.post(at("set_learning"), {"datasets": ["other"]}).status_code == 422

    one = asking.ask(catalog=of, datasets=[], by=None, now=timezone.now())
    client.post(at("cancel_fit", fit=one.number))
    page = client.get(at("fit", fit=one.number)).content.decode()
    assert "It was cancelled." in page
