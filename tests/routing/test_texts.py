"""Words that are stored already: swept by a changed setting, erased for their age."""

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.evaluation.cases import Case
from routing.keys import make_key
from routing.models import ApiKey, Approval, EvalCase, Run, Span, Text, TextAge, TextSweep
from routing.redaction import Redactions
from routing.spans import new_uid, write_span
from routing.texts import sweeping
from routing.texts.aging import erase_for, erase_older
from routing.texts.sweeping import NothingToDo, ask_for_sweep, sweep_for, take_step
from tests.dashboard.traffic import Traffic
from tests.samples import NOW

pytestmark = pytest.mark.django_db

ANA = "ana@example.com"
DAY = timedelta(days=1)


@pytest.fixture
def key() -> ApiKey:
    return make_key(name="agent", now=NOW).key


@pytest.fixture
def refunds() -> Catalog:
    return Traffic("refunds").catalog


def make_run(key: ApiKey, catalog: Catalog) -> Run:
    """Return a new run of a catalog."""
    return Run.objects.create(
        key=key,
        run_id=f"{catalog} {Run.objects.count()}",
        catalog=catalog,
        release=catalog.releases.get(),
        started_at=NOW,
    )


def say(run: Run, task: str, *, at: datetime = NOW, **words: Any) -> Span:
    """Write a span with words."""
    return write_span(run=run, name=Span.Name.ROUTE, now=at, words={"task": task, **words})


def redact(catalog: Catalog, **more: Any) -> None:
    """Have a catalog redact e-mail addresses from now on."""
    setting = {"redact_text": True, "redactions": Redactions(ready=("email",)).dumps()}
    Catalog.objects.filter(pk=catalog.pk).update(**setting | more)


def tasks() -> list[str]:
    return list(Text.objects.order_by("span").values_list("task", flat=True))


def test_what_is_stored_is_redacted_step_by_step_and_once(key: ApiKey, refunds: Catalog) -> None:
    run, other = make_run(key, refunds), make_run(key, Traffic("dev-agent").catalog)
    say(run, f"a {ANA}", history=[ANA], arguments={"to": [ANA]}, data={ANA: ANA}, reason=ANA)
    say(other, ANA)
    say(run, "b")
    say(run, f"c {ANA}")
    redact(refunds)

    sweep = ask_for_sweep(catalog=refunds, by=None, now=NOW)
    assert take_step(sweep, now=NOW, most=2)
    assert tasks() == ["a [e-mail]", ANA, "b", f"c {ANA}"]

    # Whoever goes on, after a crash say, has read how far it was.
    assert take_step(TextSweep.objects.get(), now=NOW, most=2)
    assert sweep_for(60, now=NOW)

    assert tasks() == ["a [e-mail]", ANA, "b", "c [e-mail]"]
    first = Text.objects.order_by("span")[0]
    assert (first.history, first.reason) == (["[e-mail]"], "[e-mail]")
    assert (first.arguments, first.data) == ({"to": ["[e-mail]"]}, {ANA: "[e-mail]"})
    sweep.refresh_from_db()
    assert (sweep.looked, sweep.changed, sweep.finished_at) == (3, 2, NOW)
    assert AuditEntry.objects.filter(action="redact_texts").count() == 1


def test_a_step_that_another_worker_was_quicker_with_writes_nothing(
    key: ApiKey, refunds: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(make_run(key, refunds), ANA)
    redact(refunds)
    sweep = ask_for_sweep(catalog=refunds, by=None, now=NOW)
    redacted = sweeping._redacted

    def slower(sweep: TextSweep, texts: Any) -> Any:
        TextSweep.objects.update(place=sweep.place + 1)
        return redacted(sweep, texts)

    monkeypatch.setattr(sweeping, "_redacted", slower)
    take_step(sweep, now=NOW)

    assert tasks() == [ANA]
    assert TextSweep.objects.get().changed == 0


def test_a_text_that_was_erased_meanwhile_does_not_come_back(
    key: ApiKey, refunds: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(make_run(key, refunds), ANA)
    redact(refunds)
    sweep = ask_for_sweep(catalog=refunds, by=None, now=NOW)
    write = sweeping._write

    def after_erasure(sweep: TextSweep, changed: Any) -> None:
        Text.objects.all().delete()
        write(sweep, changed)

    monkeypatch.setattr(sweeping, "_write", after_erasure)
    take_step(sweep, now=NOW)

    assert not Text.objects.exists()


def test_what_is_not_kept_any_more_is_erased_and_the_newest_request_counts(
    key: ApiKey, refunds: Catalog
) -> None:
    run, other = make_run(key, refunds), make_run(key, Traffic("dev-agent").catalog)
    say(run, ANA)
    say(other, "other")
    with pytest.raises(NothingToDo):
        ask_for_sweep(catalog=refunds, by=None, now=NOW)
    redact(refunds)
    first = ask_for_sweep(catalog=refunds, by=None, now=NOW)
    redact(refunds, keep_text=False)
    ask_for_sweep(catalog=refunds, by=None, now=NOW + DAY)

    assert not take_step(first, now=NOW)
    assert not sweep_for(0, now=NOW, step=1)
    assert sweep_for(60, now=NOW)
    assert tasks() == ["other"]
    assert Span.objects.count() == 2


def test_words_are_erased_for_their_age_by_catalog_and_once_an_hour(
    key: ApiKey, refunds: Catalog
) -> None:
    run, other = make_run(key, refunds), make_run(key, Traffic("dev-agent").catalog)
    for days in (0, 10, 29, 30, 31, 31, 60):
        say(run, str(days), at=NOW - days * DAY)
        say(other, "other", at=NOW - days * DAY)
    Catalog.objects.filter(pk=refunds.pk).update(text_days=30)

    # A slip can be undone for an hour.
    assert erase_for(60, now=NOW - timedelta(hours=1))
    assert erase_for(60, now=NOW - timedelta(minutes=1))
    assert Text.objects.count() == 14
    assert not erase_for(0, now=NOW, step=2)
    assert erase_for(60, now=NOW, step=2)
    assert [task for task in tasks() if task != "other"] == ["0", "10", "29"]
    assert tasks().count("other") == 7
    assert TextAge.objects.get().upto == NOW - 30 * DAY

    # Once done, nothing is looked at for an hour; a shorter time is looked at from the beginning.
    soon, later = NOW + timedelta(minutes=59), NOW + timedelta(hours=2)
    say(run, "spared", at=NOW - 40 * DAY)
    assert erase_for(60, now=soon)
    assert "spared" in tasks()
    Catalog.objects.filter(pk=refunds.pk).update(text_days=20)
    assert erase_for(60, now=soon)
    assert erase_for(60, now=later)
    assert [task for task in tasks() if task != "other"] == ["0", "10"]
    assert TextAge.objects.get().upto == later - 20 * DAY


def test_arguments_that_were_asked_about_age_too(key: ApiKey, refunds: Catalog) -> None:
    run = make_run(key, refunds)
    for days, lasts in ((40, 1), (40, 100), (5, 1)):
        span = say(run, "", at=NOW - days * DAY)
        Approval.objects.create(
            uid=new_uid(now=NOW),
            run=run,
            catalog=refunds,
            proposal=span,
            tool="issue_refund",
            arguments={"order": days, "lasts": lasts},
            arguments_sha256="0" * 64,
            requested_at=NOW - days * DAY,
            expires_at=NOW + (lasts - days) * DAY,
        )

    erase_older(catalog=refunds, until=NOW - 30 * DAY, now=NOW)

    kept = Approval.objects.exclude(arguments=None).order_by("id")
    assert [one.arguments for one in kept] == [
        {"order": 40, "lasts": 100},
        {"order": 5, "lasts": 1},
    ]


def test_the_command_erases_of_one_catalog_or_of_all(key: ApiKey, refunds: Catalog) -> None:
    run, other = make_run(key, refunds), make_run(key, Traffic("dev-agent").catalog)
    now = timezone.now()
    for one in (run, other):
        say(one, "old", at=now - 8 * DAY)
        say(one, "new", at=now - 6 * DAY)
    said = StringIO()

    call_command("erase_text", older_than=7, catalog="refunds", stdout=said)
    assert "refunds: the text of 1 spans erased" in said.getvalue()
    assert sorted(tasks()) == ["new", "new", "old"]
    call_command("erase_text", older_than=0, stdout=said)
    assert tasks() == []
    assert AuditEntry.objects.filter(action="erase_texts").count() == 3
    with pytest.raises(CommandError, match="no catalog"):
        call_command("erase_text", older_than=7, catalog="nothing", stdout=said)
    with pytest.raises(CommandError, match="--older-than"):
        call_command("erase_text", older_than=-1, stdout=said)


def test_cases_that_nobody_decided_on_go_with_the_text_that_they_were_taken_from(
    key: ApiKey, refunds: Catalog
) -> None:
    dataset = make_dataset(catalog=refunds, name="march", by=None, now=NOW)

    def collect(task: str, *, days: int) -> None:
        taken = Taken(Case(where="", task=task, needs=()), said_at=NOW - days * DAY)
        add_cases(
            dataset,
            [taken],
            origin=EvalCase.Origin.RUN,
            state=EvalCase.State.REVIEW,
            by=None,
            now=NOW,
        )

    collect("old", days=40)
    collect(ANA, days=3)
    erase_older(catalog=refunds, until=NOW - 30 * DAY, now=NOW)
    assert [case.task for case in dataset.cases.all()] == [ANA]

    redact(refunds)
    ask_for_sweep(catalog=refunds, by=None, now=NOW)
    assert sweep_for(60, now=NOW)
    assert not dataset.cases.exists()
