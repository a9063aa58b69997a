"""The pages of alerts: what fires first, rules that are changed, silences, addresses."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.models import AuditEntry, Catalog
from catalog.roles import Role
from dashboard.alerts.ruled import mark_of, rules_of
from dashboard.alerts.rules import DEFAULT_OF, Comparison, Metric, Rule
from dashboard.alerts.sending import OVERTAKEN
from dashboard.alerts.taken import taken_of
from dashboard.audit_words import ACTIONS, KINDS
from dashboard.forms.alerts import MOST_TARGETS, RuleForm, TargetForm
from dashboard.models import AlertDelivery, AlertRule, AlertSilence, AlertState, AlertTarget
from routing.spans import hour_of
from tests.alerted import alerted, count_hour
from tests.drafts import empty_catalog
from tests.members import client_of, member

pytestmark = pytest.mark.django_db
PAGE = "/catalogs/desk/alerts"
SECRET = re.compile(r"tcw_[A-Za-z0-9_-]{43}")
TYPED = {
    "metric": "latency",
    "comparison": "above",
    "level": "250",
    "clear": "200",
    "window": "6",
    "minimum": "50",
    "in_a_row": "2",
}


@pytest.fixture
def desk(db: None) -> Catalog:
    return empty_catalog("desk")


def rule_of(catalog: Catalog, key: str) -> Rule:
    return next(rule for rule in rules_of(catalog.pk) if rule.key == key)


def test_a_new_catalog_has_the_rules_and_a_next_step(signed_in: Client, desk: Catalog) -> None:
    page = signed_in.get(PAGE).text
    assert [rule.key for rule in rules_of(desk.pk)] == list(DEFAULT_OF)
    assert all(f'id="alert-{key}"' in page for key in DEFAULT_OF)
    assert "There is nothing to judge yet." in page
    assert "/catalogs/desk/start" in page
    assert "No worker is running" in page
    assert "Add a webhook or an e-mail address" in page


def test_what_fires_comes_first_and_leads_to_the_runs(
    signed_in: Client, desk: Catalog, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    alerted(desk, now=now)
    for hour in range(hour_of(now) - 60, hour_of(now)):
        count_hour(desk, hour, {"n": 40, "fallback:no_match": 16})
    with django_assert_max_num_queries(27):
        page = signed_in.get(PAGE).text
    assert re.findall(r'id="alert-(\w+)"', page)[0] == "fallbacks"
    assert "40.0 %, up 100.0 % (60.0 % to 160.0 %) against 20.0 % the week before" in page
    assert "/catalogs/desk/runs?from=" in page
    assert "fallback=any" in page
    assert "The portal is known to send little." in page
    assert "The address answered 500." in page
    # What is drawn stands in a table, too.
    assert page.count('class="alert-line"') >= 1
    assert "40.0 %" in page
    # The address of a webhook may hold a secret; the page of addresses is not everybody's.
    assert "example.com/hook" not in page
    assert 'class="badge bg-red-lt ms-auto">1<' in page


def test_the_overview_names_what_fires_unless_it_is_silenced(
    signed_in: Client, desk: Catalog
) -> None:
    alerted(desk, now=timezone.now())
    for query in ("", "?catalog=*"):
        page = signed_in.get(f"/{query}").text
        assert "1 alert is firing" in page
        assert f"{PAGE}#alert-fallbacks" in page
    AlertSilence.objects.update(key="fallbacks")
    assert "is firing" not in signed_in.get("/").text


def test_a_default_is_changed_and_comes_back(signed_in: Client, desk: Catalog) -> None:
    alerted(desk, now=timezone.now())
    path = f"{PAGE}/rules/latency"
    assert 'value="100"' in signed_in.get(path).text  # milliseconds
    seen = mark_of(DEFAULT_OF["latency"])
    signed_in.post(path, {**TYPED, "seen": seen})
    assert rule_of(desk, "latency").level == 250_000
    assert rule_of(desk, "latency").clear == 200_000
    page = signed_in.get(path).text
    assert "Time to choose (95th percentile) above 250 ms" in page
    assert "Restore as it came" in page

    signed_in.post(f"{path}/drop")
    assert rule_of(desk, "latency") == DEFAULT_OF["latency"]
    signed_in.post(f"{path}/switch", {"on": "0"})
    assert not rule_of(desk, "latency").enabled
    assert signed_in.get(PAGE).text.index('id="alert-latency"') > 0


def test_of_two_who_change_a_rule_the_second_is_told(signed_in: Client, desk: Catalog) -> None:
    path, seen = f"{PAGE}/rules/latency", mark_of(DEFAULT_OF["latency"])
    assert f'value="{seen}"' in signed_in.get(path).text
    signed_in.post(path, {**TYPED, "seen": seen})
    late = {**TYPED, "level": "400", "title": "Mine", "seen": seen}
    told = signed_in.post(path, late)
    assert told.status_code == 409
    assert "fires past 250 ms" in told.text
    assert 'value="Mine"' in told.text
    assert rule_of(desk, "latency").level == 250_000

    again = mark_of(rule_of(desk, "latency"))
    assert f'value="{again}"' in told.text
    signed_in.post(path, {**late, "seen": again})
    assert rule_of(desk, "latency").level == 400_000
    assert signed_in.post(f"{PAGE}/rules/own-gone/drop").status_code == 404


def test_what_was_typed_of_one_rule_too_many_is_not_lost(
    signed_in: Client, desk: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.alerts.editing.MOST_RULES", 1)
    signed_in.post(f"{PAGE}/rules/-/new", TYPED)
    page = signed_in.post(f"{PAGE}/rules/-/new", {**TYPED, "title": "One more"})
    assert page.status_code == 422
    assert "There are enough rules" in page.text
    assert 'value="One more"' in page.text
    assert AlertRule.objects.count() == 1


def test_a_rule_is_added_and_removed(signed_in: Client, desk: Catalog) -> None:
    sent = {**TYPED, "metric": "fallbacks", "level": "12.5", "clear": "7", "title": "Too\n many"}
    signed_in.post(f"{PAGE}/rules/-/new", sent)
    [row] = AlertRule.objects.all()
    assert (row.level, row.clear, row.title) == (0.125, 0.07, "Too many")
    assert "Too many" in signed_in.get(PAGE).text
    signed_in.post(f"{PAGE}/rules/{row.key}/drop")
    assert not AlertRule.objects.exists()
    assert signed_in.get(f"{PAGE}/rules/{row.key}").status_code == 404


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"clear": "300"}, "clear"),
        ({"comparison": "below", "clear": "100"}, "clear"),
        ({"metric": "fallbacks", "level": "101", "clear": "1"}, "level"),
        ({"comparison": "fallen", "level": "101", "clear": "1"}, "level"),
        ({"metric": "traffic"}, "comparison"),
        ({"window": "169"}, "window"),
        ({"level": "nan"}, "level"),
        ({"in_a_row": "0"}, "in_a_row"),
    ],
)
def test_a_rule_that_cannot_work_is_refused(changed: dict[str, str], field: str) -> None:
    assert set(RuleForm({**TYPED, **changed}).errors) == {field}


@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("comparison", [Comparison.BELOW, Comparison.FALLEN])
def test_a_form_says_what_the_rule_says(metric: Metric, comparison: Comparison) -> None:
    level = {Metric.LATENCY: 123_000, Metric.TRAFFIC: 12}.get(metric, 0.123)
    level = 0.123 if comparison is Comparison.FALLEN else level
    rule = Rule("own", metric, comparison, level, level, 24, 50, title="T")
    form = RuleForm({k: str(v) for k, v in RuleForm.of(rule).initial.items()})
    assert form.is_valid(), form.errors
    assert form.rule(key="own") == rule


def test_who_looks_after_an_alert_stands_until_it_is_over(
    signed_in: Client, desk: Catalog, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    alerted(desk, now=now)
    path = f"{PAGE}/rules/fallbacks"
    assert "Nobody has said so yet." in signed_in.get(path).text
    # One that does not fire needs nobody, and offers no form.
    assert "I look after it" not in signed_in.get(f"{PAGE}/rules/latency").text
    late = signed_in.post(f"{PAGE}/rules/latency/acknowledge", {"note": "?"}, follow=True)
    assert "It is over already." in late.text
    assert signed_in.post(f"{PAGE}/rules/own-gone/acknowledge").status_code == 404

    for note in ("Looking.", "The portal sends <b>little</b>."):
        signed_in.post(f"{path}/acknowledge", {"note": note})
    said = "The portal sends &lt;b&gt;little&lt;/b&gt;."
    assert signed_in.get(path).text.count(said) == 2  # now, and in the history
    assert said in signed_in.get(PAGE).text
    assert "ana looks after it" in signed_in.get("/?catalog=desk").text
    deed = AuditEntry.objects.filter(action="alert_acknowledged").latest("pk")
    assert deed.note == "The portal sends <b>little</b>."

    state = AlertState.objects.get(key="fallbacks")
    state.since = now + timedelta(hours=3)  # it was over, and fires anew
    with django_assert_num_queries(1):
        assert not taken_of([state])


def test_a_silence_has_a_reason_and_an_end(signed_in: Client, desk: Catalog) -> None:
    path = f"{PAGE}/rules/fallbacks"
    assert signed_in.post(f"{path}/silence", {"lasts": "1d"}).status_code == 422
    signed_in.post(f"{path}/silence", {"lasts": "1d", "reason": "A known campaign."})
    assert "A known campaign." in signed_in.get(path).text
    signed_in.post(f"{path}/silence/end")
    assert not AlertSilence.objects.exists()


def test_an_address_has_its_secret_once_and_a_test(signed_in: Client, desk: Catalog) -> None:
    page = f"{PAGE}/targets"
    assert "E-mail is not set up here" in signed_in.get(page).text
    hook = {"kind": "webhook", "address": "https://example.com/hook"}
    [shown] = set(SECRET.findall(signed_in.post(page, hook).text))
    target = AlertTarget.objects.get()
    assert target.secret == shown
    assert signed_in.post(page, hook).status_code == 422  # it is there already
    assert not SECRET.search(signed_in.get(page).text)
    [another] = set(SECRET.findall(signed_in.post(f"{page}/{target.pk}/secret").text))
    assert another != shown
    answer = signed_in.post(f"{page}/{target.pk}/try", follow=True)
    assert "waits for the worker" in answer.text
    assert [one.event for one in target.deliveries.all()] == ["test"]
    signed_in.post(page, {"kind": "email", "address": "ops@example.com", "language": "pt"})
    assert AlertTarget.objects.get(kind="email").language == "pt"
    signed_in.post(f"{page}/{target.pk}/remove")
    assert AlertTarget.objects.get().kind == "email"


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        ("email", "nobody"),
        ("email", "a@example.com\nBcc: b@example.com"),
        ("webhook", "ops@example.com"),
        ("webhook", "https://me:pw@example.com/"),
        ("pager", "https://example.com/"),
    ],
)
def test_what_is_no_address_is_refused(
    signed_in: Client, desk: Catalog, kind: str, address: str
) -> None:
    answer = signed_in.post(f"{PAGE}/targets", {"kind": kind, "address": address})
    assert answer.status_code == 422
    assert not AlertTarget.objects.exists()


def test_every_change_is_in_the_audit_log_in_words(signed_in: Client, desk: Catalog) -> None:
    rules, targets = f"{PAGE}/rules", f"{PAGE}/targets"
    signed_in.post(f"{rules}/latency", {**TYPED, "seen": mark_of(DEFAULT_OF["latency"])})
    signed_in.post(f"{rules}/latency/switch", {"on": "0"})
    signed_in.post(f"{rules}/latency/switch", {"on": "1"})
    signed_in.post(f"{rules}/latency/drop")
    signed_in.post(f"{rules}/-/new", TYPED)
    signed_in.post(f"{rules}/{AlertRule.objects.get().key}/drop")
    signed_in.post(f"{rules}/latency/silence", {"lasts": "1h", "reason": "Known."})
    signed_in.post(f"{rules}/latency/silence/end")
    signed_in.post(targets, {"kind": "webhook", "address": "https://example.com/hook?key=1"})
    pk = AlertTarget.objects.get().pk
    signed_in.post(f"{targets}/{pk}/secret")
    signed_in.post(f"{targets}/{pk}/remove")

    entries = list(AuditEntry.objects.order_by("id").exclude(action="make"))
    expected = [
        "alert_rule",
        "alert_rule_off",
        "alert_rule_on",
        "alert_rule_restored",
        "alert_rule_made",
        "alert_rule_removed",
        "alert_silenced",
        "alert_unsilenced",
        "alert_target_added",
        "alert_target_secret",
        "alert_target_removed",
    ]
    assert [entry.action for entry in entries] == expected
    assert {entry.by_name for entry in entries} == {"ana"}
    assert set(expected) <= set(ACTIONS)
    assert {entry.kind for entry in entries} <= set(KINDS)
    assert "key=1" not in str([(entry.subject, entry.after) for entry in entries])
    page = signed_in.get("/catalogs/desk/audit").text
    assert "changed a rule of alerts" in page
    assert "250000" in page


def test_whoever_reads_changes_nothing_and_sees_no_address(desk: Catalog) -> None:
    alerted(desk, now=timezone.now())
    reader = client_of(member(desk, Role.VIEWER))
    page = reader.get(f"{PAGE}/rules/fallbacks").text
    assert "Switch off" not in page
    assert "Silence it" not in page
    assert "disabled" in page
    AlertDelivery.objects.update(last_error="refused: {'ops@example.com': 550}")
    page = reader.get(PAGE).text
    assert "Messages that were not taken" in page
    assert "example.com" not in page


def test_what_failed_is_shown_for_a_week_unless_a_newer_message_overtook_it(
    signed_in: Client, desk: Catalog
) -> None:
    now = timezone.now()
    alerted(desk, now=now)
    assert "The address answered 500." in signed_in.get(PAGE).text
    AlertDelivery.objects.update(last_at=now - timedelta(days=8))
    assert "were not taken" not in signed_in.get(PAGE).text
    AlertDelivery.objects.update(last_at=now, last_error=OVERTAKEN)
    assert "were not taken" not in signed_in.get(PAGE).text


def test_no_catalog_writes_to_ever_more_addresses(desk: Catalog) -> None:
    AlertTarget.objects.bulk_create(
        AlertTarget(catalog=desk, kind="email", address=f"{number}@example.com")
        for number in range(MOST_TARGETS)
    )
    typed = {"kind": "email", "address": "more@example.com"}
    assert list(TargetForm(typed, catalog=desk).errors) == ["__all__"]


def test_a_clone_has_the_defaults(signed_in: Client, desk: Catalog, settings: Any) -> None:
    settings.ENCODER = "none"
    seen = mark_of(DEFAULT_OF["latency"])
    signed_in.post(f"{PAGE}/rules/latency", {**TYPED, "seen": seen})
    form = {"title": "Second", "name": "second", "begins_with": "draft"}
    signed_in.post("/catalogs/desk/clone", form)
    copy = Catalog.objects.get(name="second")
    assert rules_of(copy.pk) == list(DEFAULT_OF.values())
    assert not AlertState.objects.filter(catalog=copy).exists()
