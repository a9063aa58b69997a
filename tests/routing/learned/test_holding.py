"""What was learned goes live through the gate, as a version does."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.roles import Role
from routing.datasets.changing import make_dataset
from routing.gate.rules import keep_policy, policy_of
from routing.gate_checks import asking, checking
from routing.learned.moving import back_to
from routing.models import EvalDataset, Fit, GateCheck, GatePolicy, Release
from routing.moves import current_move
from tests.learned import learn, with_cases
from tests.members import client_of, member
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def gated(mode: GatePolicy.Mode, *, with_nothing_to_try: bool = False) -> Catalog:
    """Return a catalog with cases whose gate tries them, or has nothing to try, which falls."""
    of = with_cases()
    datasets: list[EvalDataset] = []
    if with_nothing_to_try:
        datasets = [make_dataset(catalog=of, name="empty", by=None, now=NOW)]
    policy = policy_of(of)
    policy.mode = mode
    keep_policy(policy, datasets=datasets, by=None, now=NOW)
    return of


def live(of: Catalog) -> Release:
    move = current_move(of)
    assert move is not None
    return move.release


def put_live(client: Client, of: Catalog, **said: object) -> int:
    move = current_move(of)
    assert move is not None
    url = reverse("dashboard:put_fit_live", kwargs={"catalog": of.name, "fit": 1})
    return client.post(url, {"base": move.pk, **said}).status_code


def page(client: Client, of: Catalog, name: str = "fit", **values: object) -> str:
    url = reverse(f"dashboard:{name}", kwargs={"catalog": of.name, **values})
    return client.get(url).content.decode()


def test_what_passes_goes_live_at_once_and_comes_back_after_a_roll_back() -> None:
    of = gated(GatePolicy.Mode.BLOCK)
    before = live(of)

    one = learn(of)

    check = GateCheck.objects.get()
    assert live(of) == one.release == check.release
    assert check.against == before
    rows = checking.rows_of(check)
    assert len(rows) == 8 * 14
    assert any(row.before.first != row.after.first for row in rows)  # what was learned was tried

    client = client_of(member(of, Role.PUBLISHER))
    assert "held against what was live" in page(client, of, fit=1)
    move = current_move(of)
    assert move is not None
    back_to(catalog=of, release=before, by=None, reason="No.", base=move.pk, now=NOW)
    assert "Put release 2 live again" in page(client, of, "learning")
    assert put_live(client, of) == 302
    assert live(of) == one.release


def test_what_falls_waits_until_somebody_says_why_it_goes_live_all_the_same() -> None:
    of = gated(GatePolicy.Mode.BLOCK, with_nothing_to_try=True)
    before = live(of)
    with pytest.raises(CommandError, match="ready and not live: the gate keeps it"):
        call_command("fit", of.name, dataset=["reviewed"], stdout=StringIO(), stderr=StringIO())
    one = Fit.objects.get()
    assert (one.problem, live(of)) == ("", before)
    assert one.release is not None
    assert one.release != before

    publisher = client_of(member(of, Role.PUBLISHER))
    shown = page(publisher, of, fit=1)
    assert "There was nothing to try" in shown
    assert "Only an administrator of the catalog overrules the gate." in shown
    assert "See what keeps it" in page(publisher, of, "learning")
    assert put_live(publisher, of, gate_reason="It is better.") == 422
    assert live(of) == before

    policy = policy_of(of)
    policy.mode = GatePolicy.Mode.REASON
    keep_policy(policy, datasets=list(policy.datasets.all()), by=None, now=NOW)
    assert put_live(publisher, of) == 422
    assert live(of) == before
    assert put_live(publisher, of, gate_reason="It is better.") == 302
    assert live(of) == one.release
    assert AuditEntry.objects.filter(catalog=of, action="gate_passed", note="It is better.")


def test_a_gate_that_warns_says_so_in_the_note_of_the_move() -> None:
    of = gated(GatePolicy.Mode.WARN, with_nothing_to_try=True)
    one = learn(of)
    move = current_move(of)
    assert move is not None
    assert move.release == one.release
    assert "The gate warns: There was nothing to try" in move.reason


def test_a_check_that_somebody_waits_for_is_left_alone_and_what_was_learned_waits() -> None:
    of = gated(GatePolicy.Mode.BLOCK)
    before = live(of)
    other = asking.ask(catalog=of, subject=before, by=None, now=NOW)

    one = learn(of)

    other.refresh_from_db()
    assert (other.finished_at, live(of)) == (None, before)
    assert one.release is not None
    client = client_of(member(of, Role.PUBLISHER))
    assert "Check what was learned" in page(client, of, fit=1)
    url = reverse("dashboard:ask_check", kwargs={"catalog": of.name})
    client.post(url, {"fit": 1})
    check = GateCheck.objects.open().get()
    assert check.release == one.release
    checking.carry_out(check, clock=timezone.now, stopping=lambda: False)
    assert "passes" in page(client, of, fit=1)
