"""Whatever is done to a draft and to labels, what was published stays what it was.

A catalog is edited, published, rolled back, restored, imported into and taken back at random. Every
version keeps its bytes, and each that is taken into an empty catalog of its name is published there
as the same bytes.
"""

import json
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from catalog.document import sha256_hex
from catalog.importing import apply_import, preview_import
from catalog.models import AuditEntry, Catalog, Group, Route, Tool
from catalog.publishing import DraftHasProblems
from catalog.reading import read
from catalog.recording import recorded, undo
from catalog.recording.undoing import CannotUndo
from catalog.whole_versions import read_version, restore, take_in
from routing.labels import UnknownLabel, remove_label
from routing.moves import current_move, last_move
from routing.releases import move_label, publish
from tests.drafts import draft_of
from tests.samples import NOW

TEXTS = st.sampled_from(["Read one.", "Say “é”.", 'Quote "it" \\ and \u2028 go.', ""])
LABELS = st.sampled_from(["live", "staging"])
PLACES = st.integers(0, 20)
HOW = st.sampled_from(["say", "rename", "delete", "set", "rule"])
EDITS = st.tuples(HOW, PLACES, TEXTS)


class Versions(RuleBasedStateMachine):
    """A catalog in the hands of people who do as they like."""

    published = Bundle("published")
    done = Bundle("done")

    def __init__(self) -> None:
        super().__init__()
        self._all = transaction.atomic()
        self._all.__enter__()
        self._now = NOW
        self._bytes: dict[int, bytes] = {}
        self._catalog = draft_of("refunds")

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._all.__exit__(None, None, None)

    @property
    def _draft(self) -> Catalog:
        return Catalog.objects.get(pk=self._catalog.pk)

    def _one_of(self, model: type[Any], place: int) -> Any:
        rows = list(model.objects.filter(catalog=self._catalog).order_by("pk"))
        return rows[place % len(rows)] if rows else None

    # Edits: each is one act, and can be taken back.

    @rule(target=done, edits=st.lists(EDITS, min_size=1, max_size=3))
    def edit(self, edits: list[tuple[str, int, str]]) -> object:
        with recorded(catalog=self._draft) as operation:
            for how, place, text in edits:
                getattr(self, f"_{how}")(place, text)
        return operation.id

    @rule(target=published, edits=st.lists(EDITS, min_size=1, max_size=3), label=LABELS)
    def edit_and_publish(self, edits: list[tuple[str, int, str]], label: str) -> int:
        operation: Any = self.edit(edits)
        number = self._publish(label)
        if number is None:  # it cannot be published so: take that back
            with suppress(CannotUndo):
                undo(catalog=self._draft, operation=operation, now=self._now)
        return number or 1

    def _say(self, place: int, text: str) -> None:
        if tool := self._one_of(Tool, place):
            tool.description = text
            tool.input_schema = {"type": "object", "properties": {"n": {"maximum": 2**63 - place}}}
            tool.save()

    def _rename(self, place: int, _text: str) -> None:
        name = ["first", "second", "read_order"][place % 3]
        tool = self._one_of(Tool, place)
        if tool and not Tool.objects.filter(catalog=self._catalog, name=name).exists():
            tool.name = name
            tool.save()

    def _delete(self, place: int, _text: str) -> None:
        if row := self._one_of([Tool, Group, Route][place % 3], place // 3):
            row.delete()

    def _set(self, place: int, _text: str) -> None:
        own = Catalog.objects.filter(pk=self._catalog.pk)
        own.update(threshold=place / 20, max_tools=place + 1)

    def _rule(self, place: int, _text: str) -> None:
        made = self._draft.keywordrules.create(pattern=f"refund|{place % 3}", position=place)
        if group := self._one_of(Group, place):
            made.add_groups.add(group)

    @rule(target=done, text=TEXTS, name=st.sampled_from(["imported", "read_order"]))
    def import_tools(self, text: str, name: str) -> object:
        tool = {"name": name, "description": text, "inputSchema": {"type": "object"}}
        reading = read(json.dumps({"tools": [tool]}))
        preview = preview_import(catalog=self._draft, reading=reading, source="elsewhere")
        with recorded(catalog=self._draft, action="import") as operation:
            apply_import(catalog=self._draft, preview=preview, now=self._now)
        return operation.id

    @rule(operation=consumes(done))
    def take_back(self, operation: Any) -> None:
        with suppress(CannotUndo):  # somebody went on since, or nothing had changed
            undo(catalog=self._draft, operation=operation, now=self._now)

    # Versions and labels.

    @initialize(target=published)
    def publish_first(self) -> int:
        return self._publish("live") or 1

    @rule(target=published, label=LABELS)
    def publish_the_draft(self, label: str) -> int:
        return self._publish(label) or 1

    def _publish(self, label: str) -> int | None:
        """Publish the draft and return the number of the version, ``None`` where it is refused."""
        self._now += timedelta(minutes=1)
        base = last_move(self._catalog, label=label)
        try:
            made = publish(
                catalog=self._draft,
                author=None,
                now=self._now,
                base=base.pk if base else None,
                label=label,
            )
        except DraftHasProblems:
            return None
        number = made.version.number
        self._bytes.setdefault(number, bytes(made.version.document))
        return number

    @rule(label=LABELS, number=published)
    def move_a_label(self, label: str, number: int) -> None:
        base = last_move(self._catalog, label=label)
        move_label(
            catalog=self._draft,
            label=label,
            version=number,
            by=None,
            reason="",
            base=base.pk if base else None,
            now=self._now,
        )
        moved = current_move(self._catalog, label=label)
        assert moved is not None
        assert moved.release.version.number == number

    @precondition(lambda self: last_move(self._catalog, label="staging") is not None)
    @rule()
    def take_a_label_away(self) -> None:
        base = last_move(self._catalog, label="staging")
        assert base is not None
        try:
            remove_label(
                catalog=self._draft,
                label="staging",
                by=None,
                reason="",
                base=base.pk,
                now=self._now,
            )
        except UnknownLabel:
            assert base.removed

    @rule(target=done, number=published)
    def restore_a_version(self, number: int) -> object:
        version = self._draft.versions.get(number=number)
        operation = restore(version=version, reviewed_sha256=None, now=self._now)
        again = self._publish("staging")
        assert again is not None
        assert self._bytes[again] == self._bytes[number]
        return operation.id

    @rule(target=done, number=published)
    def take_an_exported_version_in(self, number: int) -> object:
        version = read_version(self._bytes[number], sha256=sha256_hex(self._bytes[number]))
        operation = take_in(
            catalog=self._draft, version=version, reviewed_sha256=None, now=self._now
        )
        return operation.id

    @rule(number=published)
    def move_to_another_installation(self, number: int) -> None:
        content = self._bytes[number]
        with transaction.atomic():
            Catalog.objects.filter(pk=self._catalog.pk).update(name="elsewhere")
            there = Catalog.objects.create(name="refunds", title="Empty")
            take_in(
                catalog=there, version=read_version(content), reviewed_sha256=None, now=self._now
            )
            there = Catalog.objects.get(pk=there.pk)
            made = publish(catalog=there, author=None, now=self._now, base=None)
            assert bytes(made.version.document) == content
            transaction.set_rollback(True)

    @invariant()
    def what_was_published_is_what_it_was(self) -> None:
        rows = self._catalog.versions.values_list("number", "document", "sha256")
        kept = {number: (bytes(document), sha256) for number, document, sha256 in rows}
        assert kept == {
            number: (content, sha256_hex(content)) for number, content in self._bytes.items()
        }
        moves = self._catalog.label_moves.all()
        assert {move.release.version.number for move in moves} <= set(self._bytes)
        assert AuditEntry.objects.filter(catalog=self._catalog).exists()


@pytest.fixture
def _no_encoder(settings: Any) -> None:
    settings.ENCODER = "none"


@pytest.mark.django_db
@pytest.mark.usefixtures("_no_encoder")
def test_every_published_document_stays_byte_for_byte_what_it_was() -> None:
    run_state_machine_as_test(
        Versions,
        settings=settings(
            max_examples=6,
            stateful_step_count=16,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
