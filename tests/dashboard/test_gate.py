"""The gate on its pages: a publish under a block, what is asked, and an effect before saving."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.publishing import freeze_and_check
from catalog.roles import Role
from routing import releases
from routing.gate_checks import asking, checking
from routing.models import EvalCase, GateCheck, GatePolicy
from routing.moves import current_move, last_move
from tests.gated import SPOILED, TASKS, edit, gated_office, set_mode
from tests.members import client_of, member

PAGE = "/catalogs/back-office/versions"


@pytest.fixture
def office(db: None, settings: Any) -> Catalog:
    """Return the gated office."""
    settings.ENCODER = "none"
    return gated_office()


def carry_out(one: GateCheck) -> None:
    checking.carry_out(one, clock=timezone.now, stopping=lambda: False)


def publish(client: Client, **more: str) -> Any:
    html = client.get(PAGE).text
    seen = {
        name: match[1] if (match := re.search(f'name="{name}" value="([^"]*)"', html)) else ""
        for name in ("base", "reviewed")
    }
    return client.post(PAGE, {**seen, "note": "Cakes are new.", **more})


def live(catalog: Catalog) -> int:
    move = current_move(catalog)
    assert move is not None
    return move.release.version.number


def test_a_publish_under_a_block_is_checked_and_what_was_written_stays(
    office: Catalog, signed_in: Client
) -> None:
    edit(office, **SPOILED)
    assert "Check, then publish" in signed_in.get(PAGE).text

    assert publish(signed_in)["Location"] == f"{PAGE}#gate"
    one = GateCheck.objects.get()
    page = signed_in.get(PAGE).text
    assert "The check is being made ready" in page
    assert "Cakes are new." in page  # the note
    follow = f"{PAGE}/gate/{one.pk}"
    assert "progress" in signed_in.get(follow, headers={"HX-Request": "true"}).text
    carry_out(one)
    assert signed_in.get(follow, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"

    page = signed_in.get(PAGE).text
    assert "This does not go live as it is." in page
    assert '<a href="/catalogs/back-office/tools/get_stock_level">“get_stock_level”: of the' in page
    assert any(task in page for task in TASKS)
    assert "Cakes are new." in page
    whole = signed_in.get(follow).text
    assert "would not get what they need any more" in whole
    assert "Changed on their way:" in whole

    refused = publish(signed_in)
    assert refused.status_code == 422
    assert live(office) == 1
    assert publish(signed_in, gate_reason="We sell cakes now.").status_code == 302
    assert live(office) == 2
    assert AuditEntry.objects.get(action="gate_overruled").note == "We sell cakes now."
    audit = signed_in.get("/catalogs/back-office/audit").text
    assert "overruled the gate" in audit


def test_a_publisher_gives_a_reason_where_it_is_asked_and_overrules_no_block(
    office: Catalog,
) -> None:
    client = client_of(member(office, Role.PUBLISHER, name="pia"))
    edit(office, **SPOILED)
    frozen = freeze_and_check(office)
    carry_out(asking.ask(catalog=office, subject=frozen, by=None, now=timezone.now()))

    assert "Only an administrator of the catalog overrules the gate." in client.get(PAGE).text
    assert publish(client, gate_reason="Let me.").status_code == 422
    assert live(office) == 1
    set_mode(office, GatePolicy.Mode.REASON)
    assert publish(client).status_code == 422
    assert publish(client, gate_reason="On purpose.").status_code == 302
    assert live(office) == 2


def test_what_the_gate_asks_is_set_by_an_administrator(
    office: Catalog, signed_in: Client, user: User
) -> None:
    page = f"{PAGE}/gate"
    said = {"mode": "reason", "part": "", "replayed": "50", "most_lost": "2.5", "any_lost": "on"}
    said |= {"most_of_a_tool": "", "most_larger": "", "most_diverted": ""}
    assert signed_in.post(page, said).status_code == 302
    policy = GatePolicy.objects.get()
    assert (policy.mode, policy.any_lost, policy.most_lost) == ("reason", True, 2.5)
    assert (policy.most_of_a_tool, policy.most_larger) == (None, None)
    entry = AuditEntry.objects.filter(action="gate_policy").latest("pk")
    assert entry.by == user
    assert entry.before is not None
    assert (entry.before["mode"], entry.after["mode"]) == ("block", "reason")
    for wrong in ({"replayed": "1001"}, {"datasets": "9" * 25}):
        assert signed_in.post(page, said | wrong).status_code == 422
    editor = client_of(member(office, Role.PUBLISHER, name="pia"))
    assert editor.get(page).status_code == 200
    assert editor.post(page, said).status_code == 403


def test_a_gate_that_warns_can_be_passed_by(office: Catalog, signed_in: Client) -> None:
    set_mode(office, GatePolicy.Mode.WARN)
    edit(office, **SPOILED)
    assert publish(signed_in)["Location"] == f"{PAGE}#gate"
    assert publish(signed_in, unchecked="on").status_code == 302
    assert live(office) == 2


@pytest.mark.usefixtures("office")
def test_the_effect_of_a_form_is_seen_and_nothing_of_it_is_kept(signed_in: Client) -> None:
    catalog = Catalog.objects.get(name="back-office")
    before = freeze_and_check(catalog).sha256
    entries = AuditEntry.objects.count()
    tool = catalog.tools.get(name="get_stock_level")
    url = "/catalogs/back-office/effect?kind=tools&name=get_stock_level"
    form = {
        "name": tool.name,
        "side_effect": tool.side_effect,
        "capability": tool.capability,
        "output_trust": tool.output_trust,
        "timeout_ms": tool.timeout_ms,
        "max_attempts": tool.max_attempts,
        "category": tool.category,
        "owner": tool.owner,
        "enabled": "on",
        "input_schema": '{"type": "object"}',
        "title": "Cake",
        "description": "Bake a chocolate cake.",
    }

    seen = signed_in.post(url, form, headers={"HX-Request": "true", "HX-Target": "effect"}).text

    assert "tasks would not get what they need any more" in seen
    assert any(task in seen for task in TASKS)
    assert "<html" not in seen
    whole = signed_in.post(url, form).text  # without JavaScript
    assert "Nothing is saved: go back in your browser" in whole
    new = signed_in.post(
        "/catalogs/back-office/effect?kind=tools&name=", form | {"name": "bake", "enabled": ""}
    ).text
    assert "No task would go elsewhere." in new
    assert "The form has faults" in signed_in.post(url, form | {"name": ""}).text
    group = catalog.groups.get(name="stock")
    words = {"name": group.name, "description": "Use to bake cakes.", "examples": ""}
    of_group = signed_in.post("/catalogs/back-office/effect?kind=groups&name=stock", words).text
    assert "Coverage" in of_group
    assert signed_in.post(url.replace("get_stock_level", "none"), form).status_code == 404
    assert freeze_and_check(catalog).sha256 == before
    assert AuditEntry.objects.count() == entries
    EvalCase.objects.all().delete()
    assert "There is nothing to try" in signed_in.post(url, form).text


def test_a_version_beside_live_is_checked_before_it_is_put_live(
    office: Catalog, signed_in: Client
) -> None:
    edit(office, **SPOILED)
    assert publish(signed_in, label="staging").status_code == 302
    page = f"{PAGE}/labels/live?to=2"
    assert "Check this version" in signed_in.get(page).text
    asked = signed_in.post(f"{PAGE}/gate/check", {"version": "2", "next": page})
    assert asked["Location"] == page
    carry_out(GateCheck.objects.get())

    shown = signed_in.get(page).text
    base = re.search(r'name="base" value="(\d+)"', shown)
    assert base is not None
    assert "This does not go live as it is." in shown
    form = {"version": "2", "base": base[1], "reason": "Try it.", "gate_reason": ""}
    assert signed_in.post(page, form).status_code == 422
    assert live(office) == 1
    assert signed_in.post(page, form | {"gate_reason": "We know."}).status_code == 302
    assert live(office) == 2


def test_what_was_never_live_is_no_way_back(office: Catalog, signed_in: Client) -> None:
    edit(office, **SPOILED)
    now = timezone.now()
    releases.publish(catalog=office, author=None, now=now, base=None, label="staging")
    base = last_move(office, label="live")
    assert base is not None

    sent = signed_in.post(f"{PAGE}/2/roll-back", {"base": base.pk, "reason": "Back."})
    assert sent["Location"] == f"{PAGE}/labels/live?to=2"
    assert "The gate does not let it pass." in signed_in.get(sent["Location"]).text
    with pytest.raises(CommandError, match="move_label back-office live 2"):
        call_command("rollback", "back-office", "2")
    assert live(office) == 1


def test_a_dataset_that_the_gate_asks_for_stays_until_it_is_taken_out_there(
    office: Catalog,
) -> None:
    editor = client_of(member(office, Role.EDITOR))
    policy = GatePolicy.objects.get()
    policy.datasets.set(office.eval_datasets.all())
    page = "/catalogs/back-office/evals/datasets/march/delete"

    assert "Delete for good" not in editor.get(page).text
    assert editor.post(page).status_code == 409
    assert office.eval_datasets.exists()

    policy.datasets.clear()
    assert editor.post(page).status_code == 302
    assert not office.eval_datasets.exists()
