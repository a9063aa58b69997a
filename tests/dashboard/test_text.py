"""The page that says what is kept of text."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from catalog.models import AuditEntry, Catalog
from dashboard.forms.text import TextForm
from routing.models import Text, TextSweep
from routing.redaction import Line, Redactions
from routing.spans import task_hash
from routing.texts.aging import erase_for, erase_older
from tests.dashboard.traffic import Traffic
from tests.samples import NOW, published

PAGE = "/catalogs/refunds/settings/text"
SETTING: dict[str, Any] = {
    "kept": "redacted",
    "ready": ["email", "card"],
    "own": "[order] \\bORD-\\d+\\b",
    "days": "30",
    "sample": "ana@example.com, ORD-7 <b>",
}


@pytest.fixture
def refunds(db: None) -> Catalog:
    return Catalog.objects.create(name="refunds", title="Refunds")


def seen(client: Client) -> str:
    """Return what a page opened now carries along."""
    return str(client.get(PAGE).context["form"]["seen"].value())


def policy(catalog: Catalog) -> tuple[object, ...]:
    catalog.refresh_from_db()
    return catalog.text_kept, catalog.redactions, catalog.text_days


def test_what_is_kept_is_changed_recorded_and_undone(signed_in: Client, refunds: Catalog) -> None:
    told = signed_in.post(PAGE, SETTING | {"seen": seen(signed_in)}, follow=True)

    written = Redactions(ready=("email", "card"), own=(Line("[order]", r"\bORD-\d+\b"),)).dumps()
    assert policy(refunds) == ("redacted", written, 30)
    shown = signed_in.get(PAGE).context["form"].initial
    assert {name: shown[name] for name in ("kept", "ready", "own", "days")} == {
        "kept": "redacted",
        "ready": ["email", "card"],
        "own": SETTING["own"],
        "days": 30,
    }
    settings = signed_in.get("/catalogs/refunds/settings").text
    assert "Redacted, for 30 days" in settings
    audit = signed_in.get("/catalogs/refunds/audit").text
    assert r"\bORD-\d+\b → [order]" in audit
    assert "E-mail addresses → [e-mail]" in audit

    entry = AuditEntry.objects.filter(kind="settings").latest("id")
    assert str(entry.operation) in told.text
    signed_in.post(f"/catalogs/refunds/audit/undo/{entry.operation}")
    assert policy(refunds) == ("full", "", None)


def test_patterns_outlast_a_time_in_which_they_are_not_in_force(
    signed_in: Client, refunds: Catalog
) -> None:
    signed_in.post(PAGE, SETTING | {"seen": seen(signed_in)})
    before = policy(refunds)
    for kept in ("none", "redacted"):
        signed_in.post(PAGE, SETTING | {"kept": kept, "seen": seen(signed_in)})
        assert policy(refunds) == (kept, *before[1:])


def test_trying_saves_nothing(signed_in: Client, refunds: Catalog) -> None:
    told = signed_in.post(PAGE, SETTING | {"seen": seen(signed_in), "try": "on"})

    assert told.status_code == 200
    assert told.context["tried"] == "[e-mail], [order] <b>"
    assert "[e-mail], [order] &lt;b&gt;" in told.text
    assert policy(refunds) == ("full", "", None)


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"own": "[fine] x1\n[x] ok\\q"}, "own", "Line 2: invalid escape sequence, at character 3"),
        ({"own": "[x] a*"}, "own", "Line 1: the pattern also finds nothing at all"),
        ({"own": "\n".join(["[n] xyz"] * 51)}, "own", "There are 51 patterns, and 50 are the most"),
        ({"own": "", "ready": []}, "ready", "Tick what to redact"),
        ({"ready": ["everything"]}, "ready", "everything"),
        ({"days": "0"}, "days", "1"),
        ({"kept": "half"}, "kept", "half"),
        ({"sample": "x" * 10_001}, "sample", "10000"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    change: dict[str, Any], field: str, said: str
) -> None:
    assert said in str(TextForm(SETTING | change).errors[field])


def test_what_is_refused_is_not_saved(signed_in: Client, refunds: Catalog) -> None:
    told = signed_in.post(PAGE, SETTING | {"own": "[x] a*", "seen": seen(signed_in)})

    assert told.status_code == 422
    assert "Line 1: the pattern also finds nothing at all" in told.text
    assert policy(refunds) == ("full", "", None)


def test_two_people_do_not_undo_each_other_unseen(signed_in: Client, refunds: Catalog) -> None:
    early = seen(signed_in)
    signed_in.post(PAGE, SETTING | {"seen": early})
    before = policy(refunds)

    told = signed_in.post(PAGE, {"kept": "none", "seen": early})
    assert told.status_code == 409
    assert "In force now: Redacted." in told.text
    assert policy(refunds) == before

    again = told.context["form"].data
    assert signed_in.post(PAGE, again).status_code == 302
    assert policy(refunds)[0] == "none"


def test_what_is_stored_is_redacted_once_it_is_confirmed(signed_in: Client) -> None:
    Traffic("refunds").select(words={"task": "ana@example.com"})
    assert signed_in.get(f"{PAGE}/stored").status_code == 302
    signed_in.post(PAGE, SETTING | {"seen": seen(signed_in)})

    asked = signed_in.get(f"{PAGE}/stored")
    assert "E-mail addresses → [e-mail]" in asked.text
    assert Text.objects.get().task == "ana@example.com"

    told = signed_in.post(f"{PAGE}/stored", follow=True)
    assert Text.objects.get().task == "[e-mail]"
    assert "1 of 1 texts were changed" in told.text
    assert TextSweep.objects.get().finished_at is not None


def test_a_run_says_that_its_text_was_erased_for_its_age(signed_in: Client, settings: Any) -> None:
    settings.ENCODER = "none"
    refunds = published("refunds")
    selection = Traffic.of(refunds).select(at=NOW, task_hash=task_hash("A task"))
    page = f"/catalogs/refunds/runs/{selection.run_id}"
    replay = f"{page}/replay/{selection.pk}"
    assert "erased for its age" not in signed_in.get(page).text
    assert "No text of it was kept" in signed_in.get(replay).text
    Catalog.objects.update(text_days=30)
    erase_for(1, now=NOW)  # it is set, and begins an hour later
    setting = signed_in.get(PAGE).text
    assert "erased for its age" not in setting
    assert "which would erase older text" in setting  # and nobody is there to do it

    erase_older(catalog=refunds, until=NOW + timedelta(days=1), now=NOW + timedelta(days=31))

    assert "erased for its age" in signed_in.get(page).text
    assert "The text of the run was erased" in signed_in.get(replay).text
    assert "erased for its age" in signed_in.get(PAGE).text
