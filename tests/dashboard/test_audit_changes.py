"""What entries of the audit log say: in the words of differences, by parts."""

from typing import Any

import pytest

from catalog.models import AuditEntry, IntentRule, KeywordRule, Phase, Route
from catalog.recording import note_deed, recorded
from dashboard.audit_changes import changes_of
from tests.drafts import draft_of, edited

pytestmark = pytest.mark.django_db


def sentences(entry: AuditEntry) -> list[str]:
    return [str(change) for change in changes_of(entry)]


def of(operation: Any, kind: str) -> list[str]:
    [entry] = [one for one in operation.entries if one.kind == kind]
    return sentences(entry)


def test_fields_are_said_as_in_differences() -> None:
    operation = edited(draft_of(), owner="ops", name="look_up", is_default=False)

    assert of(operation, "tools") == [
        "tools look_up: Renamed: it was “find_payment”.",
        "tools look_up: The owner changed. -finance +ops",
        "tools look_up: It is no longer a default tool.",
    ]


def test_a_schema_is_said_as_in_differences() -> None:
    catalog = draft_of()
    schema = catalog.tools.get(name="find_payment").input_schema

    operation = edited(catalog, input_schema={**schema, "required": []})

    [change] = of(operation, "tools")
    assert change == "tools find_payment: The argument “order_code” is optional now."


def test_parts_of_each_kind_that_come_and_go_are_said() -> None:
    catalog = draft_of()
    tool, group = catalog.tools.all()[0], catalog.groups.all()[0]

    with recorded(catalog=catalog) as came:
        phase = Phase.objects.create(catalog=catalog, name="testing", initial=True)
        phase.next.add(phase)
        route = Route.objects.create(catalog=catalog, name="support", budget_calls=5)
        route.tools.add(tool)
        keyword = KeywordRule.objects.create(catalog=catalog, pattern="pay")
        keyword.add_groups.add(group)
        IntentRule.objects.create(catalog=catalog, phrases=["a", "b"]).groups.add(group)
    with recorded(catalog=catalog) as changed:
        route.budget_calls = 7
        route.save()
        keyword.add_groups.clear()
        phase.next.clear()
    with recorded(catalog=catalog) as went:
        group.delete()

    assert of(came, "phases")[-1] == "phases testing: A phase was added."
    assert of(came, "routes") == [f"routes support: A route was added. +{tool.name}"]
    assert of(came, "keyword_rules") == [f"keyword_rules pay: A keyword rule was added. +{group}"]
    assert of(came, "intent_rules") == [f"intent_rules a, b: An intent rule was added. +{group}"]
    assert of(changed, "routes") == ["routes support: The ceiling of calls a run changed. -5 +7"]
    assert of(changed, "keyword_rules") == [
        f"keyword_rules pay: The groups that it adds changed. -{group}"
    ]
    assert of(changed, "phases") == ["phases testing: The phases that may follow changed. -testing"]
    assert of(went, "groups")[0].startswith(f"groups {group}: The group was removed.")
    [of_rule] = [sentences(one) for one in went.entries if one.subject == "a, b"]
    assert of_rule == [f"intent_rules a, b: The groups that it opens changed. -{group}"]


def test_deeds_are_said_with_what_they_changed() -> None:
    catalog = draft_of()

    entry = note_deed(
        catalog=catalog,
        action="role_given",
        kind="members",
        subject="eva",
        before={"role": "viewer"},
        after={"role": "editor"},
    )

    assert sentences(entry) == ["members eva: Role -viewer +editor"]


def test_orders_are_said() -> None:
    catalog = draft_of()
    group = catalog.groups.get(name="billing")
    first, second = group.memberships.all()[:2]
    names = f"{first.tool}, {second.tool}"

    with recorded(catalog=catalog) as operation:
        first.position, second.position = second.position, first.position
        first.save()
        second.save()
        for place, one in enumerate(reversed(catalog.phases.all())):
            one.position = place
            one.save()

    assert of(operation, "groups") == [
        f"groups billing: The order of its tools changed. -{names} +{second.tool}, {first.tool}"
    ]
