"""Whole versions out of a catalog and into a draft, byte for byte."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from catalog.document import canonical_bytes
from catalog.models import AuditEntry, Catalog, CatalogVersion
from catalog.publishing import freeze_and_check
from catalog.recording import undo
from catalog.samples import load_sample
from catalog.whole_versions import (
    DraftMoved,
    NotAVersion,
    Renumbered,
    read_version,
    renumbered,
    restore,
    take_in,
)
from routing.moves import current_move
from routing.releases import publish
from tests.drafts import draft_of
from tests.samples import NOW, published

pytestmark = pytest.mark.django_db
SAMPLES = ("back-office", "contratos", "dev-agent", "refunds")


@pytest.fixture(autouse=True)
def _no_encoder(settings: Any) -> None:
    settings.ENCODER = "none"


def again(catalog: Catalog) -> CatalogVersion:
    """Publish the draft as it is now."""
    catalog = Catalog.objects.get(pk=catalog.pk)
    live = current_move(catalog)
    base = live.pk if live else None
    return publish(catalog=catalog, author=None, now=NOW, base=base).version


def edited(catalog: Catalog) -> CatalogVersion:
    """Change, add and remove parts of every kind, and publish."""
    tools = list(catalog.tools.order_by("position"))
    tools[0].description = "Edited: “é”, 9007199254740993."
    tools[0].input_schema = {"type": "object", "properties": {"n": {"maximum": 2**63 - 1}}}
    tools[0].save()
    tools[-1].name = "renamed_tool"
    tools[-1].save()
    group = catalog.groups.all()[0]
    group.description = "Use to see that everything comes back as it was."
    group.save()
    catalog.keywordrules.create(pattern="first|second", position=0).add_groups.add(group)
    Catalog.objects.filter(pk=catalog.pk).update(threshold=0.25, max_tools=3)
    return again(catalog)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_taken_in_and_published_is_what_was_exported(name: str) -> None:
    catalog = published(name)
    original = edited(catalog)
    data, sha256 = bytes(original.document), original.sha256
    catalog.delete()
    empty = Catalog.objects.create(name=name, title="Empty")

    version = read_version(data, sha256=sha256)
    assert version.as_exported
    assert renumbered(catalog=empty, version=version) == []
    take_in(catalog=empty, version=version, reviewed_sha256=None, now=NOW)

    assert (bytes(again(empty).document), empty.versions.get().sha256) == (data, sha256)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_restored_and_published_is_what_it_was(name: str) -> None:
    catalog = published(name)
    first = catalog.versions.get()
    second = edited(catalog)

    restore(version=first, reviewed_sha256=None, now=NOW)
    third = again(catalog)

    assert (bytes(third.document), third.number) == (bytes(first.document), 3)
    restore(version=second, reviewed_sha256=None, now=NOW)
    assert bytes(again(catalog).document) == bytes(second.document)


def test_restoring_is_one_act_on_record_that_is_taken_back() -> None:
    catalog = published("refunds")
    catalog.tools.get(name="issue_refund").delete()
    catalog.tools.filter(name="read_order").update(description="Second.")
    before = freeze_and_check(Catalog.objects.get(pk=catalog.pk)).sha256

    done = restore(
        version=catalog.versions.get(), reviewed_sha256=before, now=NOW, note="A mistake"
    )

    entries = AuditEntry.objects.filter(operation=done.id)
    assert {entry.action for entry in entries} == {"restore"}
    assert {"issue_refund", "read_order"} <= {entry.subject for entry in entries}
    assert {entry.note for entry in entries} == {"A mistake"}
    undo(catalog=catalog, operation=done.id)
    assert freeze_and_check(Catalog.objects.get(pk=catalog.pk)).sha256 == before


def test_a_draft_that_moved_on_is_not_overwritten() -> None:
    catalog = published("refunds")
    version = catalog.versions.get()
    seen = version.sha256
    catalog.tools.filter(name="read_order").update(description="Unseen.")

    with pytest.raises(DraftMoved):
        restore(version=version, reviewed_sha256=seen, now=NOW)
    with pytest.raises(DraftMoved):
        take_in(
            catalog=catalog,
            version=read_version(bytes(version.document)),
            reviewed_sha256=seen,
            now=NOW,
        )
    assert catalog.tools.get(name="read_order").description == "Unseen."


def test_numbers_that_mean_something_else_here_are_told() -> None:
    catalog = published("refunds")
    value = catalog.versions.get().parsed()
    value["tools"][0] |= {"description": "From elsewhere."}
    value["tools"][1] |= {"revision": 9}
    version = read_version(canonical_bytes(value))
    names = [tool["name"] for tool in value["tools"]]

    assert renumbered(catalog=catalog, version=version) == [
        Renumbered(names[0], carried=1, given=2),
        Renumbered(names[1], carried=9, given=1),
    ]
    take_in(catalog=catalog, version=version, reviewed_sha256=None, now=NOW)
    tools = again(catalog).parsed()["tools"]
    assert [tool["revision"] for tool in tools[:2]] == [2, 1]


def test_a_file_that_was_laid_out_anew_says_the_same() -> None:
    version = published("refunds").versions.get()
    pretty = json.dumps(version.parsed(), indent=2).encode()

    read = read_version(pretty, sha256=version.sha256.upper())

    assert (read.sha256, read.as_exported) == (version.sha256, False)


def test_a_file_that_was_changed_on_the_way_is_refused() -> None:
    version = published("refunds").versions.get()
    changed = bytes(version.document).replace(b"refund", b"rebate", 1)

    with pytest.raises(NotAVersion, match=f"should be {version.sha256}"):
        read_version(changed, sha256=version.sha256)


def _twice(value: dict[str, Any]) -> None:
    value["tools"].append(value["tools"][0])


def _dangling(value: dict[str, Any]) -> None:
    value["default_tools"].append("nowhere")


def _mark(value: dict[str, Any]) -> None:
    value["tools"][0]["description"] = "a\0b"


def _channel(value: dict[str, Any]) -> None:
    value["channel_rules"] += [{"kind": "queue", "value": "a", "groups": []}] * 2


def _large(value: dict[str, Any]) -> None:
    value["title"] = "x" * 201
    value["tools"][0]["timeout_ms"] = 10**20
    value["tools"][1]["revision"] = 2**31
    value["routes"][0]["budget"]["cost"] = 10**400


def _field(value: dict[str, Any]) -> None:
    value["tools"][0]["colour"] = "red"
    del value["groups"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_twice, "is there twice in “tools”"),
        (_dangling, "“nowhere” is not among the tools"),
        (_channel, "“queue a” is there twice in “channel_rules”"),
        (
            _large,
            "(?s)“title” of no. 1 in “settings” is too large.*“timeout_ms” of no. 1 in “tools”"
            ".*“revision” of no. 2 in.*“budget_cost” of no. 1 in “routes”",
        ),
        (_mark, "U\\+0000"),
        (_field, '(?s)"groups" is a required property.*colour'),
    ],
)
def test_what_no_draft_could_say_is_refused_with_its_reasons(
    spoil: Callable[[dict[str, Any]], None], said: str
) -> None:
    draft_of("refunds")
    value = {**load_sample("refunds"), "format": 1, "catalog": "refunds"}
    value["tools"] = [{**tool, "revision": 1} for tool in value["tools"]]
    assert read_version(json.dumps(value).encode()).value["catalog"] == "refunds"
    spoil(value)
    with pytest.raises(NotAVersion, match=said):
        read_version(json.dumps(value).encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"null", b"{", b"\xff", b'{"a": NaN}', b'{"a": "\\ud800"}', b"[" * 100_000],
)
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(NotAVersion, match="no"):
        read_version(data)
