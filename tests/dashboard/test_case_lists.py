"""Cases are listed by state, words and tag, and decided on by the tick or by the list."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.roles import Role
from dashboard.audit_words import ACTIONS
from dashboard.case_lists import UNTAGGED, read_list, tags_of
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.evaluation.cases import Case
from routing.models import EvalCase, EvalDataset
from tests.members import client_of, member
from tests.samples import published

TAGS: tuple[tuple[str, ...], ...] = ((), ("disputed",), ("größe", "disputed"), ())


@pytest.fixture
def dataset(db: None, settings: Any) -> EvalDataset:
    """Return a dataset of five cases that wait for review."""
    settings.ENCODER = "none"
    catalog = published("refunds")
    editor = member(catalog, Role.EDITOR)
    one = make_dataset(catalog=catalog, name="many", description="", by=editor, now=timezone.now())
    cases = [
        Case(where="", task=f"Where is order {n}?", needs=(("read_order",),), tags=tags)
        for n, tags in enumerate(TAGS, start=1)
    ]
    vague = Case(where="", task="Do it", needs=(("read_order",),), vague=True)
    add_cases(
        one,
        [Taken(case) for case in (*cases, vague)],
        origin=EvalCase.Origin.RUN,
        state=EvalCase.State.REVIEW,
        by=editor,
        now=timezone.now(),
    )
    return one


@pytest.fixture
def editor(dataset: EvalDataset) -> Client:
    """Return a signed-in editor."""
    return client_of(member(dataset.catalog, Role.EDITOR, name="another"))


def url(name: str, dataset: EvalDataset) -> str:
    return reverse(f"dashboard:{name}", args=[dataset.catalog.name, dataset.name])


def states(dataset: EvalDataset) -> list[str]:
    return [state[0] for state in dataset.cases.values_list("state", flat=True)]


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"q": " ORDER "}, [1, 2, 3, 4]),
        ({"tag": "disputed"}, [2, 3]),
        ({"tag": "größe", "q": "order"}, [3]),
        ({"tag": "größ"}, []),
        ({"tag": "vague"}, [5]),
        ({"tag": UNTAGGED}, [1, 4]),
        ({"tag": UNTAGGED, "upto": "3"}, [1]),
        ({"upto": "³"}, [1, 2, 3, 4, 5]),
        ({"state": "accepted"}, []),
        ({"state": "no state", "q": "\0"}, [1, 2, 3, 4, 5]),
    ],
)
def test_a_list_is_of_a_state_words_and_a_tag(
    dataset: EvalDataset, said: dict[str, str], numbers: list[int]
) -> None:
    listed = read_list(said, state="review").of(dataset.cases.all())
    assert list(listed.values_list("number", flat=True)) == numbers


def test_tags_are_counted_most_first(dataset: EvalDataset) -> None:
    assert list(tags_of(dataset.cases.all()).items()) == [
        ("disputed", 2),
        ("größe", 1),
        ("vague", 1),
    ]


def test_what_is_ticked_is_decided_on_and_nothing_else(
    editor: Client, dataset: EvalDataset
) -> None:
    page = editor.get(url("dataset", dataset), {"tag": "disputed"}).content.decode()
    assert "all 2 cases of this list" in page
    # What nobody wrote is explained, and what somebody wrote is not.
    assert "tasks that say nearly the same were solved by other tools" in page
    assert ">größe</span></dt>" not in page
    here = url("dataset", dataset) + "?tag=disputed"
    sent = {"case": ["2", "3", "99", "x", "9" * 40], "decision": "drop", "next": here}
    answer = editor.post(url("decide_cases", dataset), sent, follow=True)
    assert answer.redirect_chain == [(here, 302)]
    assert "2 cases are dropped." in answer.content.decode()
    assert states(dataset) == ["r", "d", "d", "r", "r"]
    for nothing in ({"decision": "accept"}, {"case": ["1"], "decision": "burn"}, {"case": ["1"]}):
        answer = editor.post(url("decide_cases", dataset), nothing, follow=True)
        assert "Tick the cases first" in answer.content.decode()
    assert states(dataset) == ["r", "d", "d", "r", "r"]


def test_all_of_a_list_means_those_that_were_there_when_it_was_shown(
    editor: Client, dataset: EvalDataset
) -> None:
    sent = {"all": "on", "state": "review", "tag": UNTAGGED, "upto": "3", "decision": "accept"}
    editor.post(url("decide_cases", dataset), sent)
    assert states(dataset) == ["a", "r", "r", "r", "r"]
    first = dataset.cases.get(number=1)
    assert first.decided_by is not None
    assert first.decided_at is not None
    editor.post(url("decide_cases", dataset), {"case": ["1"], "decision": "review"})
    first.refresh_from_db()
    assert first.state == "review"
    assert first.decided_by is None
    assert first.decided_at is None
    entries = AuditEntry.objects.filter(action="cases_decided", subject="many")
    assert [entry.after for entry in entries.order_by("id")] == [
        {"cases": 1, "state": "accepted"},
        {"cases": 1, "state": "review"},
    ]
    assert "cases_decided" in ACTIONS


def test_cases_of_another_catalog_are_out_of_reach(editor: Client, dataset: EvalDataset) -> None:
    other = published("contratos")
    url_of_other = reverse("dashboard:decide_cases", args=[other.name, dataset.name])
    assert editor.post(url_of_other, {"all": "on", "decision": "drop"}).status_code == 404
    assert set(states(dataset)) == {"r"}
    assert Catalog.objects.count() == 2


def test_a_list_says_its_tag_where_no_case_has_it_any_more(
    dataset: EvalDataset, editor: Client
) -> None:
    page = editor.get(url("dataset", dataset), {"state": "accepted", "tag": "disputed"})
    assert '<option value="disputed" selected>disputed (0)</option>' in page.content.decode()
